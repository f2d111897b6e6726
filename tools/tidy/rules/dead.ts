import { waiting } from '../budgets.ts'
import { edgesOf, reachableFrom, successorsOf } from '../graph.ts'
import { isProduct, isTest, type Finding, type Rule, type Tree } from '../tree.ts'

/** Entry points: main files, public files of packages, and whatever package.json, CI and the launchers start. */
const mains = [
  'packages/server/src/main.ts',
  'packages/client/src/client.ts',
  'packages/cli/src/main.ts',
  'apps/console/src/main.tsx',
]

function programs(tree: Tree): string[] {
  const manifest = JSON.parse(tree.files.get('package.json') ?? '{}') as { scripts?: Record<string, string> }
  const started = Object.values(manifest.scripts ?? {}).flatMap((script) => script.split(' '))
  const tools = [...tree.files]
    .filter(([path]) => path.startsWith('.ci/') || /^tools\/launch\/\w+\.mjs$/.test(path))
    .flatMap(([, text]) => [...text.matchAll(/\btools\/[\w./-]+\.(?:ts|mjs)\b/g)].map((match) => match[0]))
  return [...mains, ...started, ...tools].filter((path) => tree.code.has(path))
}

function check(tree: Tree): Finding[] {
  const pairs = edgesOf(tree)
    .filter((edge) => edge.to !== null)
    .map((edge) => [edge.from, edge.to!] as const)
  const successors = successorsOf(pairs)
  const started = programs(tree)
  const living = reachableFrom(started, successors)
  // Test helpers may be reached by tests only; product code must be reached by a program.
  const tests = [...tree.code.keys()].filter((path) => path.endsWith('.test.ts') || path.includes('/bench/'))
  const tested = reachableFrom([...started, ...tests], successors)
  const dead = [...tree.code.keys()].filter((path) => {
    if (path.endsWith('.test.ts') || waiting[path] !== undefined) return false
    return isProduct(path) ? !living.has(path) : !tested.has(path) && (isTest(path) || path.startsWith('tools/'))
  })
  const awake = Object.keys(waiting).filter((path) => living.has(path))
  return [
    ...dead.map((file) => ({ file, says: 'no program reaches this file' })),
    ...awake.map((file) => ({ file, says: 'is reached by a program: remove its row from "unreachedFiles"' })),
  ]
}

export const deadRule: Rule = {
  name: 'dead',
  why: 'Code that no program reaches is maintained for nothing.',
  check,
}
