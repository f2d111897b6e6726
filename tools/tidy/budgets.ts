/** Lines that count are those with code: blank lines and lines of comment are free. */
export const budgets = {
  file: 300,
  table: 500,
  test: 500,
  migration: 400,
} as const

/** Files that are rows rather than code. */
export const tables: readonly RegExp[] = [
  /^packages\/contract\/src\/(operations|shapes)\//,
  /^packages\/contract\/src\/(routes|events|problems|lifecycles)\.ts$/,
  /^packages\/raster\/src\/colour\/colormaps\.ts$/,
  /^packages\/raster\/src\/crs\/table\.ts$/,
  /^packages\/server\/src\/platform\/settings\.ts$/,
  /^packages\/server\/test\/contract\/examples\//,
  /^tools\/tidy\/boundaries\.ts$/,
]

/** Printed files have no budget: nobody reads them line by line, and a test keeps them fresh. */
export const printed: readonly RegExp[] = [
  /^packages\/client\/src\/operations\.ts$/,
  /^packages\/raster\/src\/crs\/table\.ts$/,
  /^packages\/raster\/src\/kernels\/wasm-bytes\.ts$/,
  /^packages\/server\/migrations\/schema\.sql$/,
  /^docs\/(openapi\.json|operations\.txt|configuration\.md|reference\/.*)$/,
]

/** Pages for people, in lines of any kind. */
export const pages: readonly (readonly [pattern: RegExp, lines: number])[] = [
  [/^README\.md$/, 120],
  [/^ARCHITECTURE\.md$/, 220],
  [/^CONTRIBUTING\.md$/, 100],
  [/^docs\/glossary\.md$/, 140],
  [/^docs\/decisions\//, 80],
  [/^docs\/notes\//, 120],
]

/** A file that may be longer, with the reason. The test refuses a row whose file fits its ordinary budget. */
export const longer: Readonly<Record<string, { readonly lines: number; readonly reason: string }>> = {}

const reference = 'what the compiled kernels must equal: read by people, run by tests'

/** Product files that no program reaches, with the reason. The test refuses a row whose file is reached. */
export const waiting: Readonly<Record<string, string>> = {
  'packages/server/src/domains/items/asset-readers.ts':
    'jobs hold the assets that they read; the room of jobs comes later',
  'packages/server/src/platform/database/schema/rules.ts': 'judges the migrated schema; only its test asks',
  'packages/raster/src/kernels/reference.ts': reference,
  'packages/raster/src/kernels/reference-bytes.ts': reference,
  'packages/raster/src/kernels/reference-pixels.ts': reference,
  'packages/raster/src/kernels/reference-predictors.ts': reference,
  'packages/raster/src/kernels/reference-warp.ts': reference,
  'packages/raster/src/kernels/reference-warp-positions.ts': reference,
  'packages/raster/src/kernels/reference-warp-samplers.ts': reference,
  'packages/raster/src/kernels/reference-warp-taps.ts': reference,
}
