/** The page at `/`: what this is, the last frames, where to go on. */
import type { ChipletStatus } from '../chiplet-registry.ts';
import type { FrameRecord } from '../frame-store.ts';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #ccc; }
  pre { background: #f3f3f3; padding: 0.8rem; overflow-x: auto; }
  img { max-height: 3rem; vertical-align: middle; }
  @media (prefers-color-scheme: dark) {
    body { background: #16181c; color: #ddd; } a { color: #8ab4f8; }
    pre { background: #23262c; } th, td { border-color: #444; }
  }`;

export function makeLandingPage(
  frames: readonly FrameRecord[],
  chiplets: readonly ChipletStatus[],
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tessera</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>Tessera</h1>
<p>A render service on a simulated GPU made of chiplets: a visibility chiplet sorts a frame’s primitives
into coarse bins, chiplets render the bins, the coordinator puts the picture together. Post a glTF model,
get the picture and an account of the work.</p>
<pre>curl -H 'Content-Type: model/gltf-binary' -H 'Prefer: wait=60' -H 'Accept: image/png' \\
  --data-binary @model.glb -o picture.png '<span id="origin"></span>/v1/frames?width=1280&amp;height=720'</pre>
<p><a href="/docs">Documentation of the interface</a> · <a href="/openapi.json">OpenAPI</a> ·
<a href="/v1/chiplets">chiplets</a> · <a href="/v1/counters">counters</a> ·
<a href="/metrics">metrics</a></p>
<h2>Chiplets</h2>
<p>${describeChiplets(chiplets)}</p>
<h2>Last frames</h2>
${frames.length === 0 ? '<p>None yet.</p>' : frameTable(frames)}
<script>document.getElementById('origin').textContent = location.origin;</script>
</body>
</html>
`;
}

function describeChiplets(chiplets: readonly ChipletStatus[]): string {
  const ready = chiplets.filter(({ isReady }) => isReady);
  const hasVisibility = ready.some(({ role }) => role === 'visibility');
  const workerCount = ready.filter(({ role }) => role === 'worker').length;
  return `Visibility chiplet: ${hasVisibility ? 'connected' : 'not connected'}. Workers: ${workerCount}.`;
}

function frameTable(frames: readonly FrameRecord[]): string {
  const rows = frames.map((frame) => {
    const path = `/v1/frames/${frame.id}`;
    const isDone = frame.status === 'done';
    const picture = isDone
      ? `<a href="${path}/image"><img src="${path}/image" alt="picture" loading="lazy"></a>`
      : '';
    const report = isDone ? ` · <a href="${path}/report">report</a>` : '';
    const status = frame.error === null ? frame.status : `${frame.status}: ${frame.error.code}`;
    return `<tr><td>${picture}</td><td><a href="${path}">${frame.id.slice(0, 8)}</a>${report}</td>
<td>${escapeHtml(status)}</td><td>${escapeHtml(frame.title)}</td><td>${frame.submittedAt.toISOString()}</td></tr>`;
  });
  return `<table>
<tr><th>Picture</th><th>Frame</th><th>Status</th><th>Model</th><th>Posted</th></tr>
${rows.join('\n')}
</table>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
