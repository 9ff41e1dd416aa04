/** Test kit of the packet network. */
export { makeDraw } from './make-draw.ts';
export { runRequestReply } from './request-reply.ts';
export { makeTightNetwork } from './tight-network.ts';
