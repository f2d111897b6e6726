import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPythonJudge } from '../python-judge.ts'

/** Folder in which skyfield is installed, also for `.ci/run`. */
export const skyfieldFolder = join(tmpdir(), 'swath-skyfield')

const installer = new URL('install-skyfield.sh', import.meta.url)

/** Runs a script with skyfield, which is installed in the folder if it is missing. Returns the JSON lines that it prints. */
export const runSkyfield = (folder: string, script: URL, request: unknown): Promise<unknown[]> =>
  runPythonJudge({ name: 'skyfield', installer, script }, folder, request)
