import { spawn } from 'node:child_process'
import { join } from 'node:path'

interface Check {
  readonly name: string
  readonly program: string
  readonly words: readonly string[]
}

interface Outcome {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  readonly said: string
}

const root = join(import.meta.dirname, '..')
const installed = (name: string): string => join(root, 'node_modules', '.bin', name)

/** State of the incremental type check: unaffected files are not checked again. */
const kept = join('node_modules', '.cache', 'types.tsbuildinfo')

/** The static checks of a change; tests of behaviour are `npm test`. */
const checks: readonly Check[] = [
  {
    name: 'types',
    program: installed('tsc'),
    words: ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', kept, '--checkers', '1'],
  },
  { name: 'lint', program: installed('oxlint'), words: ['--quiet'] },
  { name: 'format', program: installed('oxfmt'), words: ['--check'] },
  { name: 'tidy', program: process.execPath, words: ['--test', '--test-reporter=dot', 'tools/tidy/!(*.long).test.ts'] },
  { name: 'fresh', program: process.execPath, words: ['tools/generate.ts', '--check'] },
]

function run(check: Check): Promise<Outcome> {
  const start = performance.now()
  return new Promise((resolve) => {
    let said = ''
    const finish = (passed: boolean): void =>
      resolve({ name: check.name, passed, seconds: (performance.now() - start) / 1000, said })
    const child = spawn(check.program, check.words, { cwd: root, env: { ...process.env, NO_COLOR: '1' } })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
    child.on('error', (error) => {
      said += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}

function report({ name, passed, seconds, said }: Outcome): void {
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(7)} ${seconds.toFixed(1)} s`)
  if (!passed) console.log(`${said.trimEnd()}\n`)
}

const chosen = process.argv.slice(2)
const wanted = chosen.length === 0 ? checks : checks.filter((check) => chosen.includes(check.name))
if (wanted.length === 0) throw new Error(`there is no check "${chosen.join(', ')}"`)

const outcomes = await Promise.all(
  wanted.map(async (check) => {
    const outcome = await run(check)
    report(outcome)
    return outcome
  }),
)
const failed = outcomes.filter((outcome) => !outcome.passed).map((outcome) => outcome.name)
console.log(failed.length === 0 ? `All ${outcomes.length} checks passed.` : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
