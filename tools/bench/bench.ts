import { parseArgs } from 'node:util'
import { benchCalls } from './calls.ts'
import type { Figure } from './figure.ts'

const benches: Readonly<Record<string, () => Promise<readonly Figure[]>>> = { calls: benchCalls }

const { positionals } = parseArgs({ allowPositionals: true })
const bench = benches[positionals[0] ?? '']
if (!bench) {
  console.error(`name a benchmark: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 1
} else {
  const figures = await bench()
  const judged = figures.map(
    ({ name, value, must }) =>
      `${name} ${value.toFixed(2)} (must ${must}) ${value >= must ? 'holds' : 'DOES NOT HOLD'}`,
  )
  console.log(judged.join('; '))
  process.exitCode = figures.every(({ value, must }) => value >= must) ? 0 : 1
}
