/** Animation that switches between a static and a dynamic policy. */
import type { BinAssignmentPolicyName } from '@tessera/multi-chiplet/estimate';
import { element } from '../ui/dom.ts';

/** Policies of the animation, in turn. */
const TURNS: readonly BinAssignmentPolicyName[] = ['static-blocks', 'dynamic-pull'];
/** Time from one switch to the next. */
const TURN_MS = 2000;

/** Button that starts and stops the animation. */
export class PolicyAnimation {
  readonly button = element('button', { type: 'button', 'aria-pressed': 'false' });
  readonly #onTurn: (policy: BinAssignmentPolicyName) => void;
  readonly #policy: () => BinAssignmentPolicyName;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param policy Returns the policy that is shown.
   * @param onTurn Called with each policy to move to.
   * @param signal Signal that is aborted when the page is left.
   */
  constructor(
    policy: () => BinAssignmentPolicyName,
    onTurn: (policy: BinAssignmentPolicyName) => void,
    signal: AbortSignal,
  ) {
    this.#policy = policy;
    this.#onTurn = onTurn;
    this.button.addEventListener('click', () => {
      if (this.#timer === undefined) this.#play();
      else this.stop();
    });
    signal.addEventListener('abort', () => this.stop());
    this.#showState();
  }

  /** Stops the animation, for instance because another setting changed. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#showState();
  }

  #play(): void {
    this.#turn();
    this.#timer = setInterval(() => this.#turn(), TURN_MS);
    this.#showState();
  }

  #turn(): void {
    this.#onTurn(TURNS.find((policy) => policy !== this.#policy())!);
  }

  #showState(): void {
    const isPlaying = this.#timer !== undefined;
    this.button.textContent = isPlaying ? '❚❚ Static ↔ dynamic' : '▶ Static ↔ dynamic';
    this.button.setAttribute('aria-pressed', String(isPlaying));
  }
}
