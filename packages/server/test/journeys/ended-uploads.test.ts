import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
})
after(() => app?.close())

const bytes = Buffer.alloc(1000, 1)

/** Starts an upload session with a URL for one file and for the first part of another. */
async function startSession() {
  const { client } = org.owner
  const { id } = await client.call<{ id: string }>('uploads.initiate', {
    project_id: org.project,
    file_count: 2,
    total_bytes: 10_000,
  })
  const createUploadUrl = async (operation: string, more: object): Promise<string> => {
    const input = { upload_id: id, content_type: 'image/tiff', ...more }
    return (await client.call<{ upload_url: string }>(operation, input)).upload_url
  }
  const whole = await createUploadUrl('uploads.signed_url', { file_name: 'a.tif' })
  const part = await createUploadUrl('uploads.part_url', { file_name: 'b.tif', number: 1 })
  const type = 'image/tiff'
  const put = async (url: string): Promise<number> => {
    const response = await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: bytes })
    await response.arrayBuffer()
    return response.status
  }
  return { id, client, whole, part, put }
}

test('the URLs of an upload session return 410 after it ends', async () => {
  for (const [operation, more] of [
    ['uploads.cancel', {}],
    ['uploads.fail', { error_message: 'stopped' }],
  ] as const) {
    const { id, client, whole, part, put } = await startSession()
    assert.deepEqual([await put(whole), await put(part)], [200, 200])
    await client.call(operation, { upload_id: id, ...more })
    assert.deepEqual([await put(whole), await put(part)], [410, 410], operation)
  }
})
