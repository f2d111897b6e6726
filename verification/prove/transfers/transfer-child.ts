import { createClient } from '@swath/client/client.ts'
import { fileSource, fileTarget, uploadStateFile } from '@swath/client/node/index.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { downloadAsset, uploadFile } from '@swath/client/transfer/transfer.ts'
import { administrator } from '../harness/server-process.ts'

/** What the child does: it is killed at any moment, and started again with the same work. */
export type TransferWork =
  | {
      readonly kind: 'download'
      readonly url: string
      readonly path: string
      readonly item_id: string
      readonly asset_id: string
    }
  | { readonly kind: 'upload'; readonly url: string; readonly path: string; readonly project_id: string }

const work = JSON.parse(process.argv[2]!) as TransferWork
const client = createClient({ baseUrl: work.url, token: createTokenSource(work.url, administrator) })
if (work.kind === 'download') {
  const { sha256 } = await downloadAsset(client, work, fileTarget(work.path))
  console.log(`done ${sha256}`)
} else {
  const { project_id, path } = work
  const { id } = await uploadFile(
    client,
    await fileSource(path),
    { project_id },
    { state: uploadStateFile(`${path}.upload`) },
  )
  console.log(`done ${id}`)
}
