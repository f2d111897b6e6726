import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proveDomain } from '../../../packages/server/test/federation/federated-organization.ts'
import { startTestNameServer } from '../../../packages/server/test/federation/name-server.ts'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

/** Folder in which the judges are installed. */
const defaultFolder = (): string => join(tmpdir(), 'swath-scim-judges')

export async function proveScim({ data }: ProofOptions): Promise<ProofResult> {
  const judges = data ?? defaultFolder()
  await runProgram('bash', [resolveBeside(import.meta.url, './install-judges.sh'), judges])
  await using folder = await createFolder('scim')
  const names = await startTestNameServer()
  try {
    await using server = await startServer({ SWATH_DATA_DIR: folder.path, DNS_SERVERS: names.address })
    const { client } = server
    const domain = await proveDomain({ owner: { client } as never }, names)
    const { token, base_url } = await client.call<{ token: string; base_url: string }>(
      'organizations.scim_tokens.create',
      {
        name: 'scim2-tester',
      },
    )
    const session = resolveBeside(import.meta.url, './scim_tester_session.py')
    const request = JSON.stringify({ token, base_url, domain })
    const { stdout, stderr } = await import('node:child_process').then(({ spawnSync }) =>
      spawnSync(join(judges, 'python/bin/python'), [session, request], { encoding: 'utf8' }),
    )
    console.log(stderr)
    return { tried: 'scim2-tester', violations: stdout.split('\n').filter((line) => line !== '') }
  } finally {
    await names.close()
  }
}
