import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const routerPath = 'apps/console/src/app/router.tsx'
export const consolePathsPath = 'packages/server/src/http/routes/console-paths.ts'

/** The addresses of the screens in the router of the console, such as `/orders/$orderId`. */
export function readConsoleRoutes(router: string): string[] {
  const routes = [...router.matchAll(/createScreenRoute\(\s*'(\/[^']+)'/g)].map(([, path]) => path!)
  const calls = router.match(/= createScreenRoute\(/g)?.length ?? 0
  if (routes.length !== calls) throw new Error(`${routerPath}: ${calls} screens, and the paths of ${routes.length}.`)
  return routes
}

/** Prints the first members of the addresses of the console, for which the server sends its document. */
export function printConsolePaths(): string {
  const router = readFileSync(join(import.meta.dirname, '..', '..', routerPath), 'utf8')
  const places = [...new Set(readConsoleRoutes(router).map((path) => path.split('/')[1]!))].toSorted()
  return [
    `// Generated from \`${routerPath}\` by \`npm run generate\`; do not edit.`,
    '',
    '/** The first members of the addresses of the console. */',
    'export const consolePathPrefixes = [',
    ...places.map((place) => `  '${place}',`),
    '] as const',
    '',
  ].join('\n')
}
