import { availableParallelism } from 'node:os'
import type { ChildReport } from './fuzz-raster-child.ts'
import { readCases } from './fuzz-raster-input.ts'
import { superviseRange } from './fuzz-raster-supervise.ts'
import type { ProofOptions, ProofResult } from './proof.ts'

const short_inputs = 1500
const long_inputs = 100_000
const input_timeout_ms = 5000
const childScript = new URL('./fuzz-raster-child.ts', import.meta.url)

/**
 * Damages the fixtures and reads them: no input may crash or hang (5 s), throw anything but a named failure, decode more than
 * 64 MiB or allocate more than 256 MiB. All format cases get the same number of inputs; an input is reproducible from the
 * seed and its number.
 */
export async function proveFuzzRaster({ short, seed }: ProofOptions): Promise<ProofResult> {
  const cases = readCases().length
  const inputs = Math.ceil((short ? short_inputs : long_inputs) / cases) * cases
  const children = short ? 1 : Math.min(2, availableParallelism())
  const violations: string[] = []
  const seen = new Map<string, number>()
  let opened = 0
  let tried = 0
  const report = ({ number, name, damage, opened: wasOpened, violation }: ChildReport): void => {
    tried++
    if (wasOpened) opened++
    if (tried % 5000 === 0) console.log(`${tried} of ${inputs} inputs, ${violations.length} violations`)
    if (violation === null) return
    seen.set(violation, (seen.get(violation) ?? 0) + 1)
    violations.push(`${name}, input ${number} (${damage}): ${violation}`)
  }
  const share = Math.ceil(inputs / children)
  await Promise.all(
    Array.from({ length: children }, (_, index) =>
      superviseRange(
        { first: index * share, last: Math.min(inputs, (index + 1) * share) },
        { program: childScript, seed, limit_ms: input_timeout_ms, report },
      ),
    ),
  )
  for (const [violation, count] of seen) if (count > 1) console.log(`${count} times: ${violation}`)
  return { tried: `${tried} damaged inputs of ${cases} format cases, ${opened} of them opened`, violations }
}
