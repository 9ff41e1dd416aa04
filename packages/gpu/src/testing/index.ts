/** Test kit of the memories that chiplets share. */
export {
  type CarriedMessage,
  type MessageCarrier,
  runSharedMemories,
} from './shared-memories.ts';
