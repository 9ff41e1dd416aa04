/** Posts a frame; tells how much of it is sent, which `fetch` cannot. */
import { ProblemError, problemOf } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';
import type { Posting } from './posted-files.ts';

/**
 * @param onProgress Called with the share that is sent, 0 to 1.
 * @throws {ProblemError}
 */
export function sendPosting(
  posting: Posting,
  query: URLSearchParams,
  onProgress: (share: number) => void,
): Promise<FrameStatus> {
  const { promise, resolve, reject } = Promise.withResolvers<FrameStatus>();
  const request = new XMLHttpRequest();
  request.open('POST', `/v1/frames?${query}`);
  request.setRequestHeader('Accept', 'application/json');
  request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
    if (lengthComputable && total > 0) onProgress(loaded / total);
  });
  request.addEventListener('load', () => {
    if (request.status === 202) resolve(JSON.parse(request.responseText));
    else reject(new ProblemError(problemOf(request.status, request.responseText)));
  });
  request.addEventListener('error', () => reject(new ProblemError(problemOf(0, ''))));
  request.send(bodyOf(posting, request));
  return promise;
}

function bodyOf({ mediaType, files }: Posting, request: XMLHttpRequest): File | FormData {
  if (mediaType !== 'multipart/form-data') {
    request.setRequestHeader('Content-Type', mediaType);
    return files[0]!.file;
  }
  const form = new FormData();
  for (const { path, file } of files) form.append('file', file, path);
  return form;
}
