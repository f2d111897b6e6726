// build-console.mjs: builds the console beside a starting server. The packages that only the build needs are installed in a
// folder of their own and removed afterwards: an installation in the folder of a running server would replace its packages.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { consoleBuild, ensureBuilt, isBuilt } from './builds.mjs'
import { acquireFolderLock } from './folder-lock.mjs'
import { cleanInstall, runNpm, runStep } from './install.mjs'
import { readInstalledPackages, readLockedPackages } from './lockfile.mjs'
import { nodeFlags, pickNode, root, runOrExit } from './node.mjs'

/** The sources of the build; of other workspaces npm reads the description. */
const sources = ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'apps/console', 'packages/client', 'packages/geo', 'packages/contract', 'tools/console', 'tools/launch'] // prettier-ignore
const built = consoleBuild.folder

/** @param {string} stage */
function copySources(stage) {
  const workspaces = Object.keys(readLockedPackages(root)).filter(
    (path) => path !== '' && !path.includes('node_modules/'),
  )
  for (const path of [...sources, ...workspaces.map((workspace) => `${workspace}/package.json`)]) {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    cpSync(join(root, path), join(stage, path), {
      recursive: true,
      filter: (from) => !from.includes(join(root, built)),
    })
  }
}

/** @param {string} stage */
function buildInStage(stage) {
  rmSync(stage, { recursive: true, force: true })
  copySources(stage)
  runNpm(stage, [...cleanInstall, '--omit=dev', '--workspace=apps/console', '--include-workspace-root'])
  ensureBuilt(stage, consoleBuild, pickNode(root), ['--disable-warning=ExperimentalWarning'])
  if (!isBuilt(stage, consoleBuild)) throw new Error('The console could not be built; the server runs without it.')
  const previous = join(stage, 'previous')
  if (existsSync(join(root, built))) renameSync(join(root, built), previous)
  renameSync(join(stage, built), join(root, built))
}

runOrExit(() => {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const release = acquireFolderLock(root, 'console-build')
  // Not in node_modules, where Node strips no types.
  const stage = join(root, '.console-build')
  try {
    if (isBuilt(root, consoleBuild)) return
    runStep('Building the console beside the server (once)', () => {
      if (readInstalledPackages(root)?.['node_modules/vite'])
        ensureBuilt(root, consoleBuild, pickNode(root), nodeFlags())
      else buildInStage(stage)
    })
  } finally {
    rmSync(stage, { recursive: true, force: true })
    release()
  }
})
