import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@swath/client'
import { createTokenSource } from '@swath/client/tokens.ts'
import { startServer } from '../../prove/server-process.ts'
import type { Figure } from '../figure.ts'
import { measureDelivery, writeSceneArchive } from './delivery.ts'
import { hostRows, measureFederation, startHosts } from './federation.ts'

const login = { username: 'admin@example.com', password: 'bench bench bench' }

/** A search over four hosts beside the slowest of them alone, and an order beside GDAL's COG of the same file. */
export async function benchCatalog(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-catalog-'))
  const hosts = await startHosts()
  try {
    const scene = await writeSceneArchive(join(folder, 'archive'))
    const file = join(folder, 'archive/hosts.json')
    await mkdir(join(folder, 'data'))
    await writeFile(file, JSON.stringify({ hosts: [...hostRows(hosts), scene.host] }))
    const server = await startServer({
      SWATH_DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DATABASE_URL: '',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
      CATALOG_HOSTS_FILE: file,
    })
    try {
      const client = createClient({ baseUrl: server.url, token: createTokenSource(server.url, login) })
      await grantCredits(client)
      return [await measureFederation(client), await measureDelivery(client, scene)]
    } finally {
      await server.stop()
    }
  } finally {
    for (const { server } of hosts) await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function grantCredits(client: Client): Promise<void> {
  const me = await client.call<{ organization: { id: string } }>('users.me')
  const adjustment = { organization_id: me.organization.id, amount_credits: 100_000_000, reason: 'bench' }
  await client.call('admin.orgs.credit_adjust', adjustment)
}
