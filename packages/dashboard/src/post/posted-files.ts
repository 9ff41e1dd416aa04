/** Selects the files to post from those that the user dropped or chose. */

/** A file and its path within the dropped folders. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** Files and title of one frame to post. */
export interface Posting {
  readonly title: string;
  /** The main file, followed by the files that a .gltf refers to. */
  readonly files: readonly ChosenFile[];
}

/** Endings of files that can be posted as a frame. */
export const POSTED_ENDINGS = ['.glb', '.gltf', '.trace', '.msgpack', '.json'];
/** Endings of files that can contain several frames. */
export const MOVING_ENDINGS = ['.glb', '.gltf', '.trace'];

/**
 * Groups files into postings: one per model, capture or native frame. A .gltf is posted with all
 * other files, whose paths are relative to its folder.
 *
 * @param endings Endings of files that can be posted.
 */
export function makePostings(chosen: readonly ChosenFile[], endings: readonly string[]): Posting[] {
  const isPosted = ({ path }: ChosenFile) => endings.some((ending) => endsIn(path, ending));
  const others = chosen.filter((one) => !isPosted(one));
  return chosen.filter(isPosted).map((one) => {
    const folder = one.path.slice(0, one.path.lastIndexOf('/') + 1);
    const taken = endsIn(one.path, '.gltf') ? [one, ...others] : [one];
    const files = taken.map(({ path, file }) => ({
      path: path.startsWith(folder) ? path.slice(folder.length) : path,
      file,
    }));
    return { title: one.path, files };
  });
}

function endsIn(path: string, ending: string): boolean {
  return path.toLowerCase().endsWith(ending);
}

/**
 * Returns all files of a drop, including those in folders. Must be called while the event is
 * handled.
 */
export async function readDrop({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return fromFileList(files);
  return (await Promise.all(entries.map(readEntry))).flat();
}

/** Returns the files of a file input with their paths. */
export function fromFileList(files: FileList): ChosenFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function readEntry(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: ChosenFile[] = [];
  for (;;) {
    // A reader returns the entries in parts, and an empty part at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await readEntry(inner)));
  }
}
