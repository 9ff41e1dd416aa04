/** Posts files and reports upload progress, which `fetch` does not support. */
import { refusal } from '../api/requests.ts';
import type { Posting } from './posted-files.ts';

/**
 * Posts files as a form.
 *
 * @param path Path of the route.
 * @param onProgress Called with the share that has been sent, 0 to 1.
 * @throws {ProblemError}
 */
export function sendPosting<Admitted>(
  path: string,
  { files }: Posting,
  query: URLSearchParams,
  onProgress: (share: number) => void,
): Promise<Admitted> {
  const { promise, resolve, reject } = Promise.withResolvers<Admitted>();
  const request = new XMLHttpRequest();
  request.open('POST', `${path}?${query}`);
  request.setRequestHeader('Accept', 'application/json');
  request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
    if (lengthComputable && total > 0) onProgress(loaded / total);
  });
  request.addEventListener('load', () => {
    if (request.status === 202) resolve(JSON.parse(request.responseText));
    else reject(refusal(request.status, request.responseText));
  });
  request.addEventListener('error', () => reject(refusal(0, '')));
  const form = new FormData();
  for (const file of files) form.append('file', file.file, file.path);
  request.send(form);
  return promise;
}
