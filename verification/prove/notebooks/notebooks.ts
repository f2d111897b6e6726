import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const root = resolveBeside(import.meta.url, '../../..')
const packageRoot = join(root, 'packages/python')
const notebookFolder = join(packageRoot, 'notebooks')
const runner = resolveBeside(import.meta.url, './run_notebook.py')

/** A picture of a figure is larger than that of empty axes. */
const min_figure_bytes = 8000
const parallel_notebooks = 2
const installOptions = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
const testTools = ['pytest', 'nbclient', 'geojson', 'requests']

interface Run {
  readonly seconds?: number
  readonly cells?: number
  readonly figures?: readonly string[]
  readonly failure: string | null
}

/**
 * Runs what the Python package has for analysts: its tests and its notebooks, each against a new server. The figures of the notebooks are
 * written as PNG, to be looked at. The short form installs the wheel beside the pinned libraries; the long one into an empty
 * environment, with the newest libraries that its extras allow. `data` is the folder of the tools, `only` a part of the name of notebooks.
 */
export async function proveNotebooks({
  short,
  only = '',
  data = join(tmpdir(), 'swath-notebooks'),
}: ProofOptions): Promise<ProofResult> {
  await runProgram('bash', [resolveBeside(import.meta.url, './install.sh'), data])
  await runProgram(process.execPath, [...process.execArgv, join(root, 'tools/python/build.ts')])
  await using folder = await createFolder('notebooks')
  const python = await installPackage(join(data, 'tools/bin/python'), folder.path, short)
  const start_ms = performance.now()
  const tests = only === '' ? await runTests(python, data, folder.path) : { passed: 'no', violations: [] }
  const names = (await readdir(notebookFolder)).filter((name) => name.endsWith('.ipynb') && name.includes(only))
  const figures = join(data, 'figures')
  await rm(figures, { recursive: true, force: true })
  await mkdir(figures)
  const runs = await withServer(join(folder.path, 'data'), (environment) =>
    runNotebooks(python, names.toSorted(), figures, environment),
  )
  const pictures = runs.flatMap(([, run]) => run.figures ?? [])
  const violations = await Promise.all(runs.map(([name, run]) => judgeRun(name, run)))
  const seconds = Math.round((performance.now() - start_ms) / 1000)
  return {
    tried: `${tests.passed} tests of the analysis; ${runs.length} notebooks with ${runs.reduce((sum, [, run]) => sum + (run.cells ?? 0), 0)} cells, ${pictures.length} figures in ${figures}, in ${seconds} s`,
    violations: [...tests.violations, ...violations.flat()],
  }
}

/** Installs the wheel, and returns the Python that has it. */
async function installPackage(tools: string, folder: string, short: boolean): Promise<string> {
  await runProgram(tools, ['-m', 'hatchling', 'build', '-t', 'wheel', '--directory', folder], process.env, packageRoot)
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Error('hatchling made no wheel')
  const path = join(folder, wheel)
  if (short) {
    await runProgram(tools, [...installOptions, '--no-deps', '--force-reinstall', path])
    return tools
  }
  await runProgram(tools, ['-m', 'venv', join(folder, 'environment')])
  const python = join(folder, 'environment/bin/python')
  await runProgram(python, [...installOptions, `${path}[notebooks]`, ...testTools])
  return python
}

type Settings = Readonly<Record<string, string>>

/** Calls with the environment in which `Swath()` finds a new server. */
async function withServer<T>(folder: string, use: (environment: Settings) => Promise<T>): Promise<T> {
  await using server = await startServer({ SWATH_DATA_DIR: folder })
  // Awaited here: the server ends with this function.
  return await use({
    SWATH_URL: server.url,
    SWATH_USERNAME: administrator.username,
    SWATH_PASSWORD: administrator.password,
    PYTHONDONTWRITEBYTECODE: '1',
  })
}

async function runTests(
  python: string,
  data: string,
  folder: string,
): Promise<{ passed: string; violations: readonly string[] }> {
  const words = [
    '-m',
    'pytest',
    '-q',
    '-W',
    'ignore',
    '-p',
    'no:cacheprovider',
    '--confcutdir=tests/analysis',
    '-o',
    'pythonpath=tests/analysis',
  ]
  return withServer(join(folder, 'tests'), async (environment) => {
    const settings = { ...process.env, ...environment, SWATH_TEST_UP42_PYTHON: join(data, 'up42/bin/python') }
    const lines = await runProgram(python, [...words, 'tests/analysis'], settings, packageRoot).catch(
      (error: { stdout?: string }) => (error.stdout ?? String(error)).split('\n').filter((line) => line !== ''),
    )
    const last = lines.at(-1) ?? 'nothing was printed'
    const passed = /^(\d+) passed in/.exec(last)?.[1]
    if (passed !== undefined) return { passed, violations: [] }
    return { passed: 'no', violations: [...lines.filter((line) => /^(FAILED|ERROR|E )/.test(line)), last] }
  })
}

/** Runs the first one alone, which buys what the others find bought, and then some at a time. */
async function runNotebooks(
  python: string,
  names: readonly string[],
  figures: string,
  environment: Settings,
): Promise<(readonly [string, Run])[]> {
  const runOne = async (name: string): Promise<readonly [string, Run]> => {
    const folder = join(figures, basename(name, '.ipynb'))
    const lines = await runProgram(python, ['-W', 'ignore', runner, join(notebookFolder, name), folder], {
      ...process.env,
      ...environment,
    })
    return [name, JSON.parse(lines.at(-1)!) as Run]
  }
  const [first, ...rest] = names
  if (first === undefined) throw new Error('no notebook has that name')
  const runs = [await runOne(first)]
  const waiting = rest.values()
  const lane = async (): Promise<void> => {
    for (const name of waiting) runs.push(await runOne(name))
  }
  await Promise.all(Array.from({ length: parallel_notebooks }, lane))
  return runs
}

async function judgeRun(name: string, { failure, figures = [] }: Run): Promise<string[]> {
  if (failure !== null) return [`${name}: ${failure}`]
  if (figures.length === 0) return [`${name}: it draws no figure`]
  const sizes = await Promise.all(figures.map(async (path) => (await stat(path)).size))
  return sizes.some((size) => size < min_figure_bytes) ? [`${name}: a figure is empty`] : []
}
