import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, grantCredits, startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { callEveryOperation, runOperations, type ExampleCall } from './operations.ts'
import { proveSharedProfile } from './shared-profile.ts'

const root = resolveBeside(import.meta.url, '../../..')
const packageRoot = join(root, 'packages/python')

/** The versions of Python that the package is for, as mypy knows them. */
const pythonVersions = ['3.11', '3.12', '3.13', '3.14', '3.15']

/** The newest of Debian (`install-debian.sh`). */
const newestPython = '3.15'
const testTools = ['pytest==9.2.0', 'pytest-asyncio==1.5.0']
const keyringWithoutKeychain = [
  'keyring==25.7.0',
  'jaraco.classes',
  'jaraco.functools',
  'jaraco.context',
  'more-itertools',
]

interface Part {
  readonly name: string
  readonly violations: readonly string[]
}

/**
 * Builds the Python package, installs its wheel into an empty environment and runs its tests there, against a platform that fails and
 * against a started server; calls the example of every operation through both trees; and checks the package and a program with a call
 * for each operation by mypy. The long form runs the tests also with the oldest libraries and with the newest Python of Debian, and mypy for the versions
 * between.
 * `data` is the folder of the tools, which are installed if missing.
 */
export async function provePython({
  short,
  data = join(tmpdir(), 'swath-python'),
}: ProofOptions): Promise<ProofResult> {
  await runProgram('bash', [resolveBeside(import.meta.url, './install.sh'), data])
  await runProgram(process.execPath, [...process.execArgv, join(root, 'tools/python/build.ts')])
  const tools = join(data, 'tools/bin/python')
  await using folder = await createFolder('python')
  const wheel = await buildPackage(tools, folder.path)
  const python = await installWheel(tools, wheel, folder.path)
  const parts: Part[] = [await runTests(python, 'the wheel', installedPath)]
  parts.push(await runAgainstServer(python, folder.path))
  if (!short) parts.push(await runTests(join(data, 'oldest/bin/python'), 'the oldest libraries', sourcePath))
  if (!short) parts.push(await runOnDebian(tools, wheel, join(data, 'debian')))
  const operations = await callEveryOperation(python)
  const versions = short ? [pythonVersions[0]!, pythonVersions.at(-1)!] : pythonVersions
  const types = await checkTypes(versions, tools, folder.path, operations.calls)
  const counts = parts.map(({ name }) => name).join(', ')
  return {
    tried: `${counts}; ${operations.tried} calls of ${operations.calls.length} operations through both trees; mypy for Python ${versions.join(', ')}`,
    violations: [...parts.flatMap(({ violations }) => violations), ...operations.violations, ...types],
  }
}

/** Builds the sdist and the wheel, checks their metadata, and returns the path of the wheel. */
async function buildPackage(tools: string, folder: string): Promise<string> {
  const dist = join(folder, 'dist')
  await rm(dist, { recursive: true, force: true })
  await mkdir(dist)
  await runProgram(tools, ['-m', 'hatchling', 'build', '--directory', dist], process.env, packageRoot)
  const files = (await readdir(dist)).map((name) => join(dist, name))
  await runProgram(tools, ['-m', 'twine', 'check', '--strict', ...files])
  const wheel = files.find((file) => file.endsWith('.whl'))
  if (wheel === undefined || files.length !== 2) throw new Error(`hatchling made ${files.join(', ')}`)
  return wheel
}

/** An empty environment with the wheel and what its metadata requires, and then the tools of its tests. */
async function installWheel(tools: string, wheel: string, folder: string): Promise<string> {
  const environment = join(folder, 'environment')
  await runProgram(tools, ['-m', 'venv', environment])
  const python = join(environment, 'bin/python')
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  await runProgram(python, [...install, wheel])
  // Without any extra it imports and connects to nothing.
  await runProgram(python, ['-W', 'error', '-c', 'import swath; print(swath.Swath("https://swath.example", key="k"))'])
  await runProgram(python, [...install, `${wheel}[progress,keyring]`, ...testTools])
  return python
}

/** Options of pytest: the tests beside the sources, instead of those of an installed package. */
const sourcePath = ['-o', 'pythonpath=tests src']
const installedPath = ['-o', 'pythonpath=tests']
const pytestOptions = ['-q', '--no-header', '-p', 'no:cacheprovider']
const failingTests = ['tests/unit', 'tests/aio', 'tests/sync']

/** Runs the tests of the package against a platform that fails. */
async function runTests(python: string, about: string, options: readonly string[]): Promise<Part> {
  const version = await runProgram(python, ['--version'])
  return runPytest(
    python,
    ['-m', 'pytest', ...pytestOptions, ...options, ...failingTests],
    `with ${about} on ${version[0]}`,
  )
}

/** Runs a command that ends with pytest's summary. */
async function runPytest(
  program: string,
  words: readonly string[],
  about: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Part> {
  const env = { ...process.env, ...environment, PYTHONDONTWRITEBYTECODE: '1' }
  const lines = await runProgram(program, words, env, packageRoot).catch((error: { stdout?: string }) =>
    (error.stdout ?? String(error)).split('\n').filter((line) => line !== ''),
  )
  const last = lines.at(-1) ?? 'nothing was printed'
  const passed = /^(\d+) passed in/.exec(last)?.[1]
  return passed === undefined
    ? { name: `tests ${about} failed`, violations: [...lines.filter((line) => /^(FAILED|ERROR|E )/.test(line)), last] }
    : { name: `${passed} tests ${about}`, violations: [] }
}

/** Runs the tests that need a platform against a started server, as its administrator and with an API key. */
async function runAgainstServer(python: string, folder: string): Promise<Part> {
  await using server = await startServer({ SWATH_DATA_DIR: join(folder, 'data') })
  await grantCredits(server.client)
  const words = ['-m', 'pytest', ...pytestOptions, ...installedPath, 'tests/live', 'tests/live_sync', 'tests/readme']
  const part = await runPytest(python, words, 'against a started server', {
    SWATH_TEST_URL: server.url,
    SWATH_TEST_USERNAME: administrator.username,
    SWATH_TEST_PASSWORD: administrator.password,
    SWATH_TEST_KEY: await createKey(server.client),
    SWATH_TEST_SCENES: join(root, 'packages/server/demo/scenes'),
  })
  const violations = await proveSharedProfile(python, server.url, folder)
  return {
    name: `${part.name}, a profile shared with the command line`,
    violations: [...part.violations, ...violations],
  }
}

async function createKey(client: Client): Promise<string> {
  const permissions = ['can_read', 'can_write', 'can_process']
  const { key } = await client.call<{ key: string }>('api_keys.create', { name: 'Python', permissions })
  return key
}

/** Runs the tests with the newest Python of Debian, in a Debian of its own. */
async function runOnDebian(tools: string, wheel: string, debian: string): Promise<Part> {
  await runProgram('bash', [resolveBeside(import.meta.url, './install-debian.sh'), debian])
  const [site, tests] = [join(debian, 'srv/site'), join(debian, 'srv/tests')]
  for (const folder of [site, tests]) await rm(folder, { recursive: true, force: true })
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', site]
  const forNewest = [...install, '--python-version', newestPython, '--only-binary', ':all:']
  await runProgram(tools, [...forNewest, `${wheel}[progress]`, ...testTools])
  // Without the keychain of Linux, whose library is compiled for each version of Python.
  await runProgram(tools, [...forNewest, '--no-deps', ...keyringWithoutKeychain])
  await cp(join(packageRoot, 'tests'), tests, { recursive: true })
  await copyFile(join(packageRoot, 'pyproject.toml'), join(debian, 'srv/pyproject.toml'))
  const words = ['-o', 'pythonpath=tests site', ...failingTests]
  const script = 'cd /srv && PYTHONPATH=site exec python-newest -m pytest "$@"'
  const version = await runProgram('chroot', [debian, 'python-newest', '--version'])
  const command = [debian, 'sh', '-c', script, 'pytest', ...pytestOptions, ...words]
  return runPytest('chroot', command, `on ${version[0]} of Debian`)
}

/** Checks the package and a program with a call for each operation, for each version of Python. */
async function checkTypes(
  versions: readonly string[],
  tools: string,
  folder: string,
  calls: readonly ExampleCall[],
): Promise<string[]> {
  const program = join(folder, 'program.py')
  const environment = join(folder, 'environment/bin/python')
  await runOperations(environment, 'write', { path: program, calls })
  const violations: string[] = []
  for (const version of versions) {
    const checked = [
      ['--package', 'swath'],
      ['--python-executable', environment, program],
    ]
    for (const words of checked) {
      const command = [
        '-m',
        'mypy',
        '--strict',
        '--python-version',
        version,
        '--cache-dir',
        join(folder, 'mypy'),
        ...words,
      ]
      await runProgram(tools, command, process.env, packageRoot).catch((error: { stdout?: string }) =>
        violations.push(`mypy for ${version}: ${error.stdout ?? String(error)}`),
      )
    }
  }
  return violations
}
