import type { Stage } from './stage.ts'

/** A way of a person through the console. It throws where the person would be stuck. */
export interface Way {
  readonly name: string
  readonly run: (stage: Stage) => Promise<void>
}
