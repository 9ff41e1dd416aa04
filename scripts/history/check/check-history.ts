/**
 * Checks a history against the laws of the API. Pure: it knows nothing but the history, so that a
 * recorded one can be checked again.
 */
import type { History } from '../record/entries.ts';
import { checkAnswers } from './laws/answers.ts';
import { checkEnds } from './laws/ends.ts';
import { checkEvents } from './laws/events.ts';
import { checkLife } from './laws/life.ts';
import { checkLists } from './laws/lists.ts';
import { checkOrigins } from './laws/origins.ts';
import { checkResults } from './laws/results.ts';
import { checkStoredValues } from './laws/stored-values.ts';
import { HistoryIndex, type Violation } from './observations/history-index.ts';

const LAWS = [
  checkAnswers,
  checkOrigins,
  checkLife,
  checkEnds,
  checkResults,
  checkStoredValues,
  checkLists,
  checkEvents,
];

/** Returns all violations of a history; empty if it obeys every law. */
export function checkHistory(history: History): Violation[] {
  const index = new HistoryIndex(history);
  return LAWS.flatMap((law) => law(index));
}
