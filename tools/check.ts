import { spawn } from 'node:child_process'
import { join } from 'node:path'

interface Check {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
}

interface CheckOutcome {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  readonly output: string
}

const root = join(import.meta.dirname, '..')
const binPath = (name: string): string => join(root, 'node_modules', '.bin', name)

/** State of the incremental type check: unaffected files are not checked again. */
const typesBuildInfo = join('node_modules', '.cache', 'types.tsbuildinfo')

/** The static checks of a change; tests of behaviour are `npm test`. */
const checks: readonly Check[] = [
  {
    name: 'types',
    program: binPath('tsc'),
    args: ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', typesBuildInfo, '--checkers', '1'],
  },
  {
    name: 'console types',
    program: binPath('tsc'),
    args: ['-p', 'apps/console', '--noEmit', '--checkers', '1'],
  },
  { name: 'lint', program: binPath('oxlint'), args: ['--quiet'] },
  { name: 'format', program: binPath('oxfmt'), args: ['--check'] },
  { name: 'tidy', program: process.execPath, args: ['--test', '--test-reporter=dot', 'tools/tidy/!(*.long).test.ts'] },
  { name: 'fresh', program: process.execPath, args: ['tools/generate.ts', '--check'] },
]

function run(check: Check): Promise<CheckOutcome> {
  const start = performance.now()
  return new Promise((resolve) => {
    let output = ''
    const finish = (passed: boolean): void =>
      resolve({ name: check.name, passed, seconds: (performance.now() - start) / 1000, output })
    const child = spawn(check.program, check.args, { cwd: root, env: { ...process.env, NO_COLOR: '1' } })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)))
    child.on('error', (error) => {
      output += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}

function report({ name, passed, seconds, output }: CheckOutcome): void {
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(7)} ${seconds.toFixed(1)} s`)
  if (!passed) console.log(`${output.trimEnd()}\n`)
}

const chosenNames = process.argv.slice(2)
const chosenChecks = chosenNames.length === 0 ? checks : checks.filter((check) => chosenNames.includes(check.name))
if (chosenChecks.length === 0) throw new Error(`there is no check "${chosenNames.join(', ')}"`)

const outcomes = await Promise.all(
  chosenChecks.map(async (check) => {
    const outcome = await run(check)
    report(outcome)
    return outcome
  }),
)
const failed = outcomes.filter((outcome) => !outcome.passed).map((outcome) => outcome.name)
console.log(failed.length === 0 ? `All ${outcomes.length} checks passed.` : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
