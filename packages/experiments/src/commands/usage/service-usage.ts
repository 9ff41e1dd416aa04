/** Help texts of the commands for a service and its data folder. */

/** Lines for the options of service-options.ts. */
const SERVICE_USAGE = `      --url URL          address of the service (default: TESSERA_URL, or http://127.0.0.1:8080)
      --token-file FILE  file with the token of a service that requires one
`;

/** Help text of `tessera submit`. */
export const SUBMIT_USAGE = `tessera submit FILE [options]

  Sends a glTF model (.glb or .gltf), a capture, a native frame (.json, .msgpack), or a scene of the benchmark set
  (scene:NAME) to a running service, shows the progress, and writes the image.

  -o, --output FILE      image, PNG (default: out.png)
      --report FILE      report, JSON
      --timeline FILE    timeline, Chrome trace (JSON) for Perfetto
      --timeline-cycles N   length of its intervals in cycles; by default they are few and long
${SERVICE_USAGE}      --json             print the frame's status, its report and the names of the written files as JSON
      --name NAME        name of the frame in lists (default: name of the file)
      --tags LIST        words by which the frame can be found, separated by commas
      --width PX, --height PX     for a model or scene
      --camera N, --time SECONDS  for a model
      --frame N          frame of a capture: its number, counted from 0, end or last
      --call N           number of the call of a capture that ends the frame
      --policy NAME, --bins N, --grid GRID, --split N, --visibility NAME, --occlusion, --timing NAME, --coupling NAME,
      --spec SPEC, --set LIST, --chiplets N    as for tessera render; the defaults are those of the service, which also has stored
                         specifications

  npx tessera submit model.glb -o image.png --report report.json
  npx tessera submit program.trace --frame 2 --policy static --url http://render.example:8080
`;

/** Help text of `tessera upload`. */
export const UPLOAD_USAGE = `tessera upload FILE [options]

  Uploads a file, such as a large capture, to a gateway and prints its SHA-256, the name of the blob. Sends only what the
  gateway does not have. After a lost connection it continues where it stopped, as does the same command later.

      --service URL      address of the gateway (default: TESSERA_URL, or http://127.0.0.1:8080)
      --token-file FILE  file with the token of a gateway that requires one
      --json             print SHA-256, length, and the number of bytes that had arrived before as JSON

  npx tessera upload program.trace
  npx tessera upload program.trace --service https://render.example --token-file token
`;

/** Help text of `tessera chiplets`. */
export const CHIPLETS_USAGE = `tessera chiplets [options]

  Lists the chiplets that are connected to a running service: number, role, state, bins and simulated cycles done,
  host and process.

${SERVICE_USAGE}      --json             print the answer of the service as JSON

  npx tessera chiplets
  npx tessera chiplets --url http://render.example:8080 --json
`;

/** Help text of `tessera verify`. */
export const VERIFY_USAGE = `tessera verify [options]

  Reads every file of a coordinator's data folder. Compares its content with the SHA-256 that is its name and its length
  with the journal, and checks the journal itself. Lists damaged and missing files and the frames that use them. Changes
  nothing. Exits with status 1 if it finds damage.

  The check is complete only while the coordinator is stopped. A running coordinator locks the journal, so missing files
  cannot be detected. A running service recreates a damaged result when a client requests it. A damaged file that a
  client posted is replaced when the client posts it again.

      --data DIR         the data folder (default: TESSERA_DATA_DIR, or out/data)
      --json             print the findings as JSON

  npx tessera verify
  npx tessera verify --data /srv/tessera --json
`;
