#!/usr/bin/env python3
"""Decodes pseudo-random blocks of compressed formats with Mesa's renderer softpipe and prints the
SHA-256 of the texels of each format as JSON. The checksums are in
packages/gl/src/texels/compressed/compressed-blocks.json. packages/gl/src/testing/random-blocks.ts
makes the same blocks. Needs Debian's libegl1 and libgl1-mesa-dri. Mesa's other renderer, llvmpipe,
rounds interpolated values of S3TC and RGTC differently.

    mesa-texels.py            # prints the checksums
    mesa-texels.py FOLDER     # also writes the texels of each format to a file of FOLDER
"""

import array
import ctypes
import hashlib
import json
import os
import struct
import sys

RANDOM_BLOCK_EDGE = 64

GL_TEXTURE_2D = 0x0DE1
GL_BYTE, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT = 0x1400, 0x1401, 0x1402, 0x1403
GL_HALF_FLOAT = 0x140B
GL_RED, GL_RG, GL_RGBA = 0x1903, 0x8227, 0x1908
ASTC_SIZES_PX = [
    (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6),
    (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10), (12, 12),
]
CHANNEL_BYTES = {
    GL_BYTE: 1, GL_UNSIGNED_BYTE: 1, GL_SHORT: 2, GL_UNSIGNED_SHORT: 2, GL_HALF_FLOAT: 2,
}
CHANNEL_COUNTS = {GL_RED: 1, GL_RG: 2, GL_RGBA: 4}
RGBA8 = (GL_RGBA, GL_UNSIGNED_BYTE)

# By internal format: size of a block in bytes, format and type of the texels.
FORMATS = {
    0x83F0: (8, *RGBA8), 0x83F1: (8, *RGBA8), 0x83F2: (16, *RGBA8), 0x83F3: (16, *RGBA8),
    0x8C4C: (8, *RGBA8), 0x8C4D: (8, *RGBA8), 0x8C4E: (16, *RGBA8), 0x8C4F: (16, *RGBA8),
    0x8DBB: (8, GL_RED, GL_UNSIGNED_BYTE), 0x8DBC: (8, GL_RED, GL_BYTE),
    0x8DBD: (16, GL_RG, GL_UNSIGNED_BYTE), 0x8DBE: (16, GL_RG, GL_BYTE),
    0x8D64: (8, *RGBA8), 0x9274: (8, *RGBA8), 0x9275: (8, *RGBA8), 0x9276: (8, *RGBA8),
    0x9277: (8, *RGBA8), 0x9278: (16, *RGBA8), 0x9279: (16, *RGBA8),
    0x9270: (8, GL_RED, GL_UNSIGNED_SHORT), 0x9271: (8, GL_RED, GL_SHORT),
    0x9272: (16, GL_RG, GL_UNSIGNED_SHORT), 0x9273: (16, GL_RG, GL_SHORT),
    0x8E8C: (16, *RGBA8), 0x8E8D: (16, *RGBA8),
    0x8E8E: (16, GL_RGBA, GL_HALF_FLOAT), 0x8E8F: (16, GL_RGBA, GL_HALF_FLOAT),
    **{first + i: (16, *RGBA8) for first in (0x93B0, 0x93D0) for i in range(14)},
}

# Bits to clear and then to set in the first word of an ASTC block; see random-blocks.ts.
ASTC_CHANGES = [
    (0x1C00, 0x10C), (0x1800, 0x50C), (0x1C00, 0x90C), (0x1801C00, 0x110C),
    (0x1800400, 0x80190C), (0x180C, 0), (0x1B00, 0xC), (0x3FF, 0xDFC),
]


def make_random_blocks(internal_format, block_bytes):
    """Returns 4,096 blocks, the same as makeRandomBlocks of random-blocks.ts."""
    state = internal_format
    words = array.array("I")
    for _ in range(RANDOM_BLOCK_EDGE**2 * block_bytes // 4):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        words.append(state)
    is_astc = internal_format >> 8 == 0x93
    for block in range(RANDOM_BLOCK_EDGE**2):
        at = block * block_bytes // 4
        if internal_format in (0x8E8C, 0x8E8D):
            mode = 1 << block % 9
            words[at] = words[at] & -mode | mode
        if is_astc and block % 2 == 1:
            turn = block >> 1
            clear, set_bits = ASTC_CHANGES[turn % 8]
            words[at] = words[at] & ~clear | set_bits
            if turn % 16 == 15:
                words[at] |= 0xFFFFF000
                words[at + 1] = 0xFFFFFFFF
        if is_astc and words[at] & 0x1FF == 0x1FC:
            words[at] |= 0xC00
    return words.tobytes()


def make_context():
    """Makes a context of desktop OpenGL current and returns a loader of its functions."""
    os.environ |= {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"}
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetProcAddress.restype = ctypes.c_void_p

    def load(name, result, *arguments):
        address = egl.eglGetProcAddress(name.encode())
        return ctypes.CFUNCTYPE(result, *arguments)(address)

    pointer = ctypes.c_void_p
    platform_surfaceless, opengl_api = 0x31DD, 0x30A2
    get_display = load("eglGetPlatformDisplayEXT", pointer, ctypes.c_int, pointer, pointer)
    display = get_display(platform_surfaceless, None, None)
    load("eglInitialize", ctypes.c_int, pointer, pointer, pointer)(display, None, None)
    load("eglBindAPI", ctypes.c_int, ctypes.c_int)(opengl_api)
    create = load("eglCreateContext", pointer, *[pointer] * 4)
    context = create(display, None, None, None)
    if not load("eglMakeCurrent", ctypes.c_int, *[pointer] * 4)(display, None, None, context):
        sys.exit("EGL has no surfaceless context of OpenGL")
    return load


class Gl:
    def __init__(self):
        load = make_context()
        integer, pointer = ctypes.c_int, ctypes.c_void_p
        self.gen_textures = load("glGenTextures", None, integer, pointer)
        self.bind_texture = load("glBindTexture", None, integer, integer)
        self.pixel_store = load("glPixelStorei", None, integer, integer)
        self.get_error = load("glGetError", integer)
        self.get_string = load("glGetString", ctypes.c_char_p, integer)
        self.upload = load("glCompressedTexImage2D", None, *[integer] * 7, pointer)
        self.download = load("glGetTexImage", None, *[integer] * 4, pointer)

    def decode(self, internal_format, blocks, texel_format, texel_type):
        is_astc = internal_format >> 8 == 0x93
        block_px = ASTC_SIZES_PX[internal_format & 15] if is_astc else (4, 4)
        width_px, height_px = (RANDOM_BLOCK_EDGE * size for size in block_px)
        # Desktop OpenGL has no ETC1, of which ETC2 is a superset.
        accepted = 0x9274 if internal_format == 0x8D64 else internal_format
        name = ctypes.c_uint()
        self.gen_textures(1, ctypes.byref(name))
        self.bind_texture(GL_TEXTURE_2D, name.value)
        self.pixel_store(0x0D05, 1)  # GL_PACK_ALIGNMENT
        self.upload(GL_TEXTURE_2D, 0, accepted, width_px, height_px, 0, len(blocks), blocks)
        channels = CHANNEL_COUNTS[texel_format] * width_px * height_px
        texels = ctypes.create_string_buffer(channels * CHANNEL_BYTES[texel_type])
        self.download(GL_TEXTURE_2D, 0, texel_format, texel_type, texels)
        error = self.get_error()
        if error != 0:
            sys.exit(f"{internal_format:#x}: OpenGL error {error:#x}")
        return texels.raw


def expand_eac(texels, is_signed):
    """Returns 16-bit channels as 32-bit floats. Mesa repeats the 11 bits of a channel in them."""
    channels = array.array("h" if is_signed else "H", texels)
    largest = 1023 if is_signed else 2047
    floats = ((abs(v) >> 5) * (1 if v >= 0 else -1) / largest for v in channels)
    return struct.pack(f"<{len(channels)}f", *floats)


def main():
    gl = Gl()
    print(gl.get_string(0x1F01).decode(), gl.get_string(0x1F02).decode(), file=sys.stderr)
    checksums = {}
    for internal_format, (block_bytes, texel_format, texel_type) in FORMATS.items():
        blocks = make_random_blocks(internal_format, block_bytes)
        texels = gl.decode(internal_format, blocks, texel_format, texel_type)
        if texel_type in (GL_SHORT, GL_UNSIGNED_SHORT):
            texels = expand_eac(texels, texel_type == GL_SHORT)
        checksums[f"{internal_format:#x}"] = hashlib.sha256(texels).hexdigest()
        if len(sys.argv) > 1:
            with open(os.path.join(sys.argv[1], f"{internal_format:x}.texels"), "wb") as file:
                file.write(texels)
    print(json.dumps(checksums, indent=2))


if __name__ == "__main__":
    main()
