import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPythonJudge } from '../harness/programs.ts'

/** Folder in which the reference programs are installed, also for `.ci/run`. */
export const judgeFolder = join(tmpdir(), 'swath-analytics-judge')

const installer = new URL('install.sh', import.meta.url)

/** Runs a Python script with the judges, which are installed in the folder if they are missing. Returns its JSON lines. */
export const runJudge = (folder: string, script: URL, request: unknown): Promise<unknown[]> =>
  runPythonJudge({ installer, script }, folder, request)
