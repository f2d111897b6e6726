import { unreachedFiles } from '../budgets.ts'
import { listImports, findReachable, buildSuccessors } from '../graph.ts'
import { isProductCode, isTest, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

/** Entry points: main files, public files of packages, and whatever package.json, CI and the launchers start. */
const mains = [
  'packages/server/src/main.ts',
  'packages/client/src/index.ts',
  'packages/client/src/node/index.ts',
  'packages/client/src/stac/stac-item.ts',
  'packages/client/src/tiles/index.ts',
  'packages/client/src/transfer/transfer.ts',
  'packages/client/src/wait/wait.ts',
  'packages/client/src/webhooks/index.ts',
  'packages/cli/src/main.ts',
  'apps/console/src/main.tsx',
  'apps/console/src/share/main.tsx',
  'apps/console/src/docs/main.ts',
]

function listPrograms(tree: SourceTree): string[] {
  const manifest = JSON.parse(tree.files.get('package.json') ?? '{}') as { scripts?: Record<string, string> }
  const startedPrograms = Object.values(manifest.scripts ?? {}).flatMap((script) => script.split(' '))
  const tools = [...tree.files]
    .filter(([path]) => path.startsWith('.ci/') || /^tools\/launch\/\w+\.mjs$/.test(path))
    .flatMap(([, text]) => [...text.matchAll(/\btools\/[\w./-]+\.(?:ts|mjs)\b/g)].map((match) => match[0]))
  return [...mains, ...startedPrograms, ...tools].filter((path) => tree.code.has(path))
}

function check(tree: SourceTree): TidyFinding[] {
  const pairs = listImports(tree)
    .filter((edge) => edge.to !== null)
    .map((edge) => [edge.from, edge.to!] as const)
  const successors = buildSuccessors(pairs)
  const startedPrograms = listPrograms(tree)
  const reachedByPrograms = findReachable(startedPrograms, successors)
  // Test helpers may be reached by tests only; product code must be reached by a program.
  const tests = [...tree.code.keys()].filter((path) => path.endsWith('.test.ts') || path.includes('/bench/'))
  const reachedByTests = findReachable([...startedPrograms, ...tests], successors)
  const unreached = [...tree.code.keys()].filter((path) => {
    // Declarations of types are read by the compiler only.
    if (path.endsWith('.test.ts') || path.endsWith('.d.ts') || unreachedFiles[path] !== undefined) return false
    return isProductCode(path)
      ? !reachedByPrograms.has(path)
      : !reachedByTests.has(path) && (isTest(path) || /^(tools|verification)\//.test(path))
  })
  const reachedExceptions = Object.keys(unreachedFiles).filter((path) => reachedByPrograms.has(path))
  return [
    ...unreached.map((file) => ({ file, message: 'no program reaches this file' })),
    ...reachedExceptions.map((file) => ({
      file,
      message: 'is reached by a program: remove its row from "unreachedFiles"',
    })),
  ]
}

export const deadRule: TidyRule = {
  name: 'dead',
  reason: 'Code that no program reaches is maintained for nothing.',
  check,
}
