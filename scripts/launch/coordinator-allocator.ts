/**
 * Settings of glibc's allocator for the coordinator, which must be set before it starts
 * (mallopt(3)). A body, an image or a message takes megabytes for the duration of one frame. With
 * the defaults such memory moves into arenas, one per thread, and is not returned to the system.
 * `npm run limits` took up to 1,164 MiB with the defaults and up to 832 MiB with these settings.
 * Other C libraries ignore them. docker-compose.yml has the same settings.
 */
export const COORDINATOR_ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  /**
   * Size in bytes from which an allocation is a separate mapping, which is returned when it is
   * freed.
   */
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
} as const;
