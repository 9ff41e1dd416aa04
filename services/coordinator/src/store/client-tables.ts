/**
 * Tables of the journal that say what belongs to which client, added by format 7. A client is a
 * name, never a token; an empty name is no client. An address is stored with unfinished work only,
 * for its turns, and nothing is counted for it.
 *
 * Triggers keep the bytes of each client: of the files that its frames, studies and resources use,
 * each counted once however many of them use it, of the reports of its frames, and of the rows of
 * its studies. So a sum is one row, and no statement can forget it.
 */

/** Migration that adds the tables. */
export const CLIENT_TABLES = `
  ALTER TABLE frames ADD COLUMN client TEXT NOT NULL DEFAULT '';
  ALTER TABLE studies ADD COLUMN client TEXT NOT NULL DEFAULT '';
  ALTER TABLE studies ADD COLUMN row_bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE blob_uses ADD COLUMN client TEXT NOT NULL DEFAULT '';
  CREATE TABLE client_files (
    client TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (client, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE client_bytes (
    client TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE client_seconds (
    client TEXT NOT NULL,
    kind TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (client, kind, start_ms)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER count_client_use AFTER INSERT ON blob_uses WHEN NEW.client <> '' BEGIN
    UPDATE client_files SET uses = uses + 1 WHERE client = NEW.client AND sha256 = NEW.sha256;
    INSERT INTO client_files SELECT NEW.client, NEW.sha256, 1 WHERE changes() = 0;
  END;
  CREATE TRIGGER uncount_client_use AFTER DELETE ON blob_uses WHEN OLD.client <> '' BEGIN
    UPDATE client_files SET uses = uses - 1 WHERE client = OLD.client AND sha256 = OLD.sha256;
    DELETE FROM client_files WHERE client = OLD.client AND sha256 = OLD.sha256 AND uses = 0;
  END;
  CREATE TRIGGER count_client_file AFTER INSERT ON client_files BEGIN
    INSERT INTO client_bytes SELECT NEW.client, 0
      WHERE NOT EXISTS (SELECT 1 FROM client_bytes WHERE client = NEW.client);
    UPDATE client_bytes SET bytes = bytes + (SELECT bytes FROM blobs WHERE sha256 = NEW.sha256)
      WHERE client = NEW.client;
  END;
  CREATE TRIGGER uncount_client_file AFTER DELETE ON client_files BEGIN
    UPDATE client_bytes SET bytes = bytes - (SELECT bytes FROM blobs WHERE sha256 = OLD.sha256)
      WHERE client = OLD.client;
  END;

  CREATE TRIGGER count_client_report AFTER UPDATE OF report_bytes ON frames
  WHEN NEW.client <> '' BEGIN
    INSERT INTO client_bytes SELECT NEW.client, 0
      WHERE NOT EXISTS (SELECT 1 FROM client_bytes WHERE client = NEW.client);
    UPDATE client_bytes SET bytes = bytes + NEW.report_bytes - OLD.report_bytes
      WHERE client = NEW.client;
  END;
  CREATE TRIGGER uncount_client_report AFTER DELETE ON frames WHEN OLD.client <> '' BEGIN
    UPDATE client_bytes SET bytes = bytes - OLD.report_bytes WHERE client = OLD.client;
  END;
  CREATE TRIGGER count_study_bytes AFTER INSERT ON study_measurements BEGIN
    UPDATE studies SET row_bytes = row_bytes + length(NEW.rows) WHERE id = NEW.study_id;
  END;
  CREATE TRIGGER count_client_rows AFTER UPDATE OF row_bytes ON studies
  WHEN NEW.client <> '' AND NOT NEW.client GLOB 'address *' BEGIN
    INSERT INTO client_bytes SELECT NEW.client, 0
      WHERE NOT EXISTS (SELECT 1 FROM client_bytes WHERE client = NEW.client);
    UPDATE client_bytes SET bytes = bytes + NEW.row_bytes - OLD.row_bytes
      WHERE client = NEW.client;
  END;
  CREATE TRIGGER uncount_client_rows AFTER DELETE ON studies
  WHEN OLD.client <> '' AND NOT OLD.client GLOB 'address *' BEGIN
    UPDATE client_bytes SET bytes = bytes - OLD.row_bytes WHERE client = OLD.client;
  END;`;

/** Statement that returns the bytes of a client in `bytes`; no row if it never had any. */
export const CLIENT_BYTES = 'SELECT bytes FROM client_bytes WHERE client = ?';
