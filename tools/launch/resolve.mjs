import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundlePaths } from './bundle.mjs'

// Resolves the two most frequent kinds of import directly: a bundled package, and a TypeScript file by its relative path.
// Node would search a package.json in each parent folder.

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const bundles = new Map(
  Object.entries(bundlePaths(root)).map(([specifier, file]) => [specifier, pathToFileURL(file).href]),
)

registerHooks({
  resolve(specifier, context, next) {
    const bundle = bundles.get(specifier)
    if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true }
    if (context.parentURL !== undefined && /^\.{1,2}\/.*\.ts$/.test(specifier)) {
      const { href } = new URL(specifier, context.parentURL)
      return { url: href, format: 'module-typescript', shortCircuit: true }
    }
    return next(specifier, context)
  },
})
