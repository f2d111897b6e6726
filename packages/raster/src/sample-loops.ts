import { sampleTypeProperties } from './sample-types.ts'
import type { SampleType } from './types.ts'

/**
 * One copy of a hot loop for each sample type. The engine compiles a loop for the kinds of array that it has met; one that
 * meets many of them is 5 to 16 times slower for all. Functions made by one literal share what they have met, so that only
 * a copy with a text of its own helps.
 *
 * @param loop uses nothing but its parameters and the language's own globals.
 */
export function copyLoopPerSampleType<Loop extends (...inputs: never[]) => unknown>(
  loop: Loop,
): Readonly<Record<SampleType, Loop>> {
  const copies = Object.keys(sampleTypeProperties).map((type) => [type, copyOf(loop, type)])
  return Object.fromEntries(copies) as Record<SampleType, Loop>
}

function copyOf<Loop>(loop: Loop, type: string): Loop {
  return (compileFunctionText([], `return ${String(loop)} // ${type}`)?.() as Loop | undefined) ?? loop
}

/** A function of a text that this package wrote, or null in a process that may not run texts. */
export function compileFunctionText(
  names: readonly string[],
  body: string,
): ((...inputs: unknown[]) => unknown) | null {
  try {
    return new Function(...names, body) as (...inputs: unknown[]) => unknown
  } catch (error) {
    if (error instanceof EvalError) return null
    throw error
  }
}
