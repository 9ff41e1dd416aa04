/**
 * Settings of glibc's allocator for the coordinator, which has to have them before it starts (mallopt(3)). A body, an
 * image or a message takes megabytes for the time of one frame. With the defaults such memory moves into arenas, one per
 * thread, and is not returned: `npm run limits` took up to 1,164 MiB, and with these settings up to 832. Other C libraries
 * ignore them. docker-compose.yml has the same.
 */
export const COORDINATOR_ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  /** Bytes from which memory is a mapping of its own, which is returned when it is freed. */
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
} as const;
