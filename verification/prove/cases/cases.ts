import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { runPythonJudge } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { grantCredits, startServer } from '../harness/server-process.ts'

/** Folder in which the programs of the judge are installed. */
const programs = join(tmpdir(), 'swath-case-judges')

const installer = new URL('install.sh', import.meta.url)

interface CasesReport {
  readonly cases: number
  readonly checks: number
  readonly problems: readonly string[]
}

/**
 * Inputs that once failed, at a started server: scripts of a folder (`--data`) write them with rasterio, tifffile and pyshp, and what
 * the server makes of them is compared with the right values.
 */
export async function proveCases({ data }: ProofOptions): Promise<ProofResult> {
  if (data === undefined) throw new Error('name the folder with the scripts of the cases: --data <folder>')
  return judgeCases('cases.py', { scripts: data })
}

/** Processes of two rasters that differ in scale, offset, nodata, type, bands, unit or pixel size, compared with numpy. */
export const proveTwoSources = (): Promise<ProofResult> => judgeCases('two_sources.py', {})

/** Runs a script of this folder against a server of its own. */
async function judgeCases(script: string, more: object): Promise<ProofResult> {
  await using folder = await createFolder('cases')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path })
  const { client } = server
  await grantCredits(client)
  const { id: project } = await client.call<{ id: string }>('projects.create', { name: 'Cases' })
  const { key: token } = await client.call<{ key: string }>('api_keys.create', {
    name: 'Cases',
    permissions: ['can_read', 'can_write', 'can_process'],
  })
  const request = { url: server.url, token, project, ...more }
  const judge = { installer, script: new URL(script, import.meta.url) }
  const [report] = (await runPythonJudge(judge, programs, request)) as [CasesReport]
  return { tried: `${report.cases} cases, ${report.checks} checks`, violations: report.problems }
}
