import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../packages/server/test/free-port.mjs'

export interface TitilerServer {
  readonly url: string
  /** Versions of Python, titiler, its libraries and GDAL. */
  readonly versions: string
  stop(): Promise<void>
}

/** Settings of titiler's performance page, without those that slow local files down (the caches of `/vsicurl/`). */
const environment = {
  GDAL_CACHEMAX: '200',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_INGESTED_BYTES_AT_OPEN: '32768',
  PYTHONWARNINGS: 'ignore',
}

/** Starts titiler under uvicorn with default settings; installs it into the folder if it is missing. */
export async function startTitiler(folder: string, workers: number): Promise<TitilerServer> {
  const python = join(folder, 'bin/python')
  if (!existsSync(python)) install(folder)
  const port = await freePort()
  const serverArgs = ['-m', 'uvicorn', 'titiler.application.main:app', '--host', '127.0.0.1', '--port', String(port)]
  const logArgs = ['--workers', String(workers), '--no-access-log', '--log-level', 'error']
  const child = spawn(python, [...serverArgs, ...logArgs], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    // Its workers are child processes: a process group ends all of them.
    detached: true,
  })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
    await exited
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(`${url}/healthz`)
    return { url, versions: readVersions(python), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function install(folder: string): void {
  console.log(`installing titiler into ${folder} …`)
  const script = fileURLToPath(new URL('./install-titiler.sh', import.meta.url))
  const { status } = spawnSync('bash', [script, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('titiler could not be installed')
}

const max_ready_tries = 240

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < max_ready_tries; attempt++) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('titiler did not start')
}

function readVersions(python: string): string {
  const program = `
import platform, rasterio
from importlib.metadata import version
names = ("titiler.core", "rio-tiler", "rasterio", "uvicorn")
print("Python", platform.python_version(), *(f"{name} {version(name)}" for name in names), "GDAL", rasterio.__gdal_version__)`
  return spawnSync(python, ['-c', program], { encoding: 'utf8' }).stdout.trim()
}
