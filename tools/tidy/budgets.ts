/** Only lines with code count: blank lines and comments do not. */
export const lineBudgets = {
  file: 300,
  table: 500,
  test: 500,
  migration: 400,
} as const

/** Files that are tables of data rather than code. */
export const tablePatterns: readonly RegExp[] = [
  /^packages\/contract\/src\/(operations|schemas)\//,
  /^packages\/contract\/src\/(routes|events|problems|lifecycles)\.ts$/,
  /^packages\/server\/src\/platform\/settings\.ts$/,
  /^packages\/server\/test\/contract\/examples\//,
  /^tools\/tidy\/boundaries\.ts$/,
]

/** Generated files have no budget: nobody reads them line by line, and a check keeps them up to date. */
export const generatedPatterns: readonly RegExp[] = [
  /^packages\/client\/src\/(operations|operation-tree|errors\/problem-classes)\.ts$/,
  /^packages\/server\/src\/domains\/handlers\.ts$/,
  /^packages\/raster\/src\/compute\/kernels\/wasm-bytes\.ts$/,
  /^docs\/(operations\.txt|configuration\.md)$/,
]

/** Files of one folder, tests included; a folder that is longer is two. */
export const max_files_in_folder = 40

/** Folders with one file for each of many things, which nobody reads as a whole. */
export const listFolders: readonly RegExp[] = [/\/operations$/, /^docs\/decisions$/, /\/migrations$/]

/** Documents; all lines count. */
export const pageBudgets: readonly (readonly [pattern: RegExp, lines: number])[] = [
  [/^README\.md$/, 120],
  [/^ARCHITECTURE\.md$/, 160],
  [/^CONTRIBUTING\.md$/, 100],
  [/^docs\/glossary\.md$/, 140],
  [/^docs\/decisions\/README\.md$/, 190],
  [/^docs\/decisions\/\d/, 80],
  [/^docs\/notes\//, 120],
  [/^docs\/platform\//, 200],
]

/** Files that may be longer, with the reason. A row whose file fits the default budget fails the rule. */
export const longFiles: Readonly<Record<string, { readonly lines: number; readonly reason: string }>> = {}

/** Product files that no program imports, with the reason. A row whose file is imported fails the rule. */
export const unreachedFiles: Readonly<Record<string, string>> = {
  'verification/prove/client/run-suite.mjs': 'a program that runs in a project of a user, where the proof copies it',
  'verification/prove/client/suite.mjs': 'what that program, and a page in Chromium, runs',
}
