import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FeatureCollection } from 'geojson'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Report, ReportSchedule } from '@swath/contract/schemas/reporting/report.ts'
import { readOutbox } from '../../../test/alerts/mail.ts'
import { callOperation } from '../../../test/call-operation.ts'
import { square } from '../../../test/geometries.ts'
import { createQueuedOrganization } from '../../../test/task-runner.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { createSteppedComb } from '../../../test/cql2/hostile-geometries.ts'
import type { Call } from '../../engine/call.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { sql } from '../../platform/database/sql.ts'
import { sumStoredFileBytes } from '../usage/stored-bytes.ts'
import { compareStorage } from '../usage/reconciliation/reconciliation.ts'
import { getReportFolder } from './save-report.ts'
import { listStoredFiles } from './stored-files.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const projectName = 'مزارع النخيل 東京 Đà Nẵng'
const rectangle = (west: number, south: number, width: number, height: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + width, south],
      [west + width, south + height],
      [west, south + height],
      [west, south],
    ],
  ],
})

const area = square(139.7, 35.6, 0.1)

/** An organization with one project, in which two items cover the left and the upper half of the area, and one lies elsewhere. */
async function createFixture() {
  const queued = await createQueuedOrganization(services)
  const { owner, project, invoke, organization } = queued
  await invoke('projects.update', { project_id: project, name: projectName })
  const addItem = (name: string, geometry: object, datetime: string) =>
    invoke('items.create', { project_id: project, name, type: 'user_raster', geometry, datetime, cloud_cover: 12.5 })
  await addItem('西', rectangle(139.65, 35.55, 0.1, 0.2), '2030-01-10T01:00:00Z')
  await addItem('北 =1+1', rectangle(139.6, 35.65, 0.4, 0.1), '2030-01-20T01:00:00Z')
  await addItem('elsewhere', square(10, 50, 0.1), '2030-01-20T01:00:00Z')
  return {
    ...queued,
    setTime: (time: string) => services.clock.advance(Date.parse(time) - services.clock.now().getTime()),
    create: (input: object, call: Call = owner) =>
      callOperation('reports.create', call, {
        formats: ['pdf', 'csv', 'geojson'],
        ...input,
      } as never) as Promise<Report>,
    readFile: async ({ id }: Pick<Report, 'id'>, format: string): Promise<Buffer> => {
      const path = `${getReportFolder(organization, id)}/report.${format}`
      const metadata = await services.blobs.head(path)
      return Buffer.from(await services.blobs.read(path, 0, metadata?.size ?? 0))
    },
    rows: () =>
      owner.db.query<{ id: string }>(sql`select id from reports where organization_id = ${organization} order by id`),
  }
}

const january = { from: '2030-01-01T00:00:00Z', to: '2030-02-01T00:00:00Z' }
const monitoring = { report_type: 'area_monitoring', area, area_name: '東京湾', ...january }

test('a report on an area has its items in all formats, with the share of the area that each covers', async () => {
  const { create, readFile, invoke, project } = await createFixture()
  const { rows } = await invoke<{ rows: Record<string, unknown>[] }>('reports.generate', monitoring)
  assert.deepEqual(
    rows.map(({ name, covered_percent, cloud_cover, project_id }) => [name, covered_percent, cloud_cover, project_id]),
    [
      ['西', 50, 12.5, project],
      ['北 =1+1', 50, 12.5, project],
    ],
  )
  const report = await create({ ...monitoring, name: 'Bay' })
  assert.deepEqual(
    report.files.map(({ format, media_type }) => [format, media_type]),
    [
      ['pdf', 'application/pdf'],
      ['csv', 'text/csv; charset=utf-8'],
      ['geojson', 'application/geo+json'],
    ],
  )
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(await readFile(report, 'pdf'))), {
    mergePages: true,
  })
  for (const part of ['Bay', '東京湾', '西', '2030-01-10 01:00', '50 %', '75 %', 'Covered at least once'])
    assert.ok(text.includes(part), `${part} in ${text}`)
  const csv = (await readFile(report, 'csv')).toString('utf8')
  assert.match(csv, /^\ufeffacquired_at,item_id,name,project_id,project,/)
  assert.equal(csv.trimEnd().split('\r\n').length, 3)
  assert.ok(csv.includes(projectName))
  const { features } = JSON.parse((await readFile(report, 'geojson')).toString('utf8')) as FeatureCollection
  assert.deepEqual(
    features.map(({ properties }) => properties?.['name']),
    ['東京湾', '西', '北 =1+1'],
  )
})

test('an item whose outline takes too long to measure has no share, and the report says that the cover is a lower bound', async () => {
  const { create, readFile, invoke, project } = await createFixture()
  const addItem = (name: string, geometry: object) =>
    invoke('items.create', { project_id: project, name, type: 'user_raster', geometry, datetime: january.from })
  await addItem('comb', createSteppedComb(1000))
  await addItem('collection', { type: 'GeometryCollection', geometries: [rectangle(10, 0, 0.25, 1)] })
  const request = { ...monitoring, area: rectangle(10, 0, 1, 1) }
  const { rows } = await invoke<{ rows: Record<string, unknown>[] }>('reports.generate', request)
  assert.deepEqual(
    rows.map(({ name, covered_percent }) => [name, covered_percent]),
    [
      ['comb', null],
      ['collection', 25],
    ],
  )
  const pdf = await getDocumentProxy(Uint8Array.from(await readFile(await create(request), 'pdf')))
  const { text } = await extractText(pdf, { mergePages: true })
  assert.match(text, /25 % or more/)
})

test('a text that a spreadsheet would calculate is escaped in CSV', async () => {
  const { create, readFile, invoke, project } = await createFixture()
  await invoke('projects.update', { project_id: project, name: '=HYPERLINK("x")' })
  const csv = (
    await readFile(await create({ report_type: 'inventory', to: '2040-01-01T00:00:00Z', formats: ['csv'] }), 'csv')
  ).toString('utf8')
  assert.ok(csv.includes(`"'=HYPERLINK(""x"")"`), csv)
})

test('every type of report has a PDF, also without rows, and GeoJSON only if it has places', async () => {
  const { create, readFile } = await createFixture()
  const past = { from: '2001-01-01T00:00:00Z', to: '2001-02-01T00:00:00Z' }
  for (const report_type of ['orders', 'spending', 'usage', 'processing', 'inventory']) {
    for (const interval of [past, {}]) {
      const pdf = await readFile(await create({ report_type, ...interval, formats: ['pdf'] }), 'pdf')
      assert.equal(pdf.subarray(0, 5).toString(), '%PDF-', report_type)
    }
  }
  await assert.rejects(create({ report_type: 'usage', formats: ['geojson'] }), { problem: 'validation' })
})

test('an area is required for its report, refused for others, and must be valid', async () => {
  const { create } = await createFixture()
  const open = { type: 'Polygon', coordinates: [[[0, 0], [1, 1], [0, 1]]] } // prettier-ignore
  for (const input of [
    { report_type: 'area_monitoring' },
    { report_type: 'orders', area },
    { report_type: 'orders', area_name: 'Bay' },
    { ...monitoring, area: open },
    { ...monitoring, from: january.to },
  ])
    await assert.rejects(create(input), { problem: 'validation' }, JSON.stringify(input))
})

test('a report belongs to the user for whom it was generated, until it is deleted or expires', async () => {
  const fixture = await createFixture()
  const { owner, create, createMember, rows, runner, setTime, organization } = fixture
  const storedBytes = () => sumStoredFileBytes(owner.db, organization)
  const before_bytes = await storedBytes()
  setTime('2030-03-01T00:00:00Z')
  const [first, second] = [await create({ report_type: 'orders', formats: ['csv'] }), await create(monitoring)]
  const sizes = [...first.files, ...second.files].map((file) => file.size_bytes)
  assert.equal(await storedBytes(), before_bytes + sizes.reduce((sum, size) => sum + size, 0), 'they count as storage')
  const member = await createMember('admin')
  await assert.rejects(callOperation('reports.get', member, { report_id: first.id }), { problem: 'not-found' })
  await assert.rejects(callOperation('reports.delete', member, { report_id: first.id }), { problem: 'not-found' })
  assert.equal(((await callOperation('reports.get', owner, { report_id: first.id })) as Report).files.length, 1)
  await callOperation('reports.delete', owner, { report_id: first.id })
  assert.equal(await services.blobs.head(`${getReportFolder(organization, first.id)}/report.csv`), null)
  assert.deepEqual(await rows(), [{ id: second.id }])
  setTime('2030-05-29T23:59:00Z')
  await runner.runTask(backgroundTaskTypes.sweepReports)
  assert.equal((await rows()).length, 1, 'after 89 days')
  setTime('2030-05-30T00:01:00Z')
  await runner.runTask(backgroundTaskTypes.sweepReports)
  assert.deepEqual(await rows(), [])
  assert.equal(await services.blobs.head(`${getReportFolder(organization, second.id)}/report.pdf`), null)
  assert.equal(await storedBytes(), before_bytes)
})

test('the reconciliation of storage finds the files of reports, and those under an earlier path without the organization', async () => {
  const { owner, create, organization } = await createFixture()
  const compare = () =>
    compareStorage(
      { db: owner.unscoped, blobs: services.blobs, signal: new AbortController().signal, listFiles: listStoredFiles },
      organization,
    )
  const { id, files } = await create({ report_type: 'orders', formats: ['csv'] })
  assert.deepEqual((await compare()).drifts, [])
  const earlier = `reports/${id}/report.csv`
  const path = `${getReportFolder(organization, id)}/report.csv`
  const bytes = await services.blobs.read(path, 0, files[0]!.size_bytes)
  await services.blobs.putBytes(earlier, bytes, 'text/csv')
  await services.blobs.delete(path)
  await owner.db.query(sql`
    update reports set files = jsonb_set(files, '{0,blob_path}', to_jsonb(${earlier}::text))
    where organization_id = ${organization} and id = ${id}`)
  assert.deepEqual(
    (await compare()).drifts.map(({ object_path, kind }) => [object_path, kind]),
    [
      [path, 'stale'],
      [earlier, 'missing'],
    ],
  )
  await callOperation('reports.delete', owner, { report_id: id })
  assert.equal(await services.blobs.head(earlier), null)
})

test('a schedule sends one e-mail for each period with the files, and ends with the access of its user', async () => {
  const { owner, invoke, runner, setTime, rows, createMember, project, organization } = await createFixture()
  setTime('2030-01-31T12:00:00Z')
  const member = await createMember('member')
  await invoke('projects.add_member', { project_id: project, user_id: member.principal.id, role: 'viewer' })
  const email = `${member.principal.id}@example.org`
  await owner.unscoped.query(sql`
    insert into users (id, email, email_key, password_temporary, organization_id, is_administrator, is_clip_user,
                       created_at, updated_at)
    values (${member.principal.id}, ${email}, ${email}, false, ${organization}, false, false, now(), now())`)
  const schedule = { name: '月報 مزارع', project_id: project, formats: ['pdf', 'csv'], frequency: 'monthly', area, report_type: 'area_monitoring' } // prettier-ignore
  const { id, next_run_at } = await invoke<ReportSchedule>('reports.schedules.create', schedule, member)
  assert.equal(next_run_at, '2030-02-01T06:00:00.000Z')
  const sweep = async (time: string): Promise<void> => {
    setTime(time)
    for (const task of [backgroundTaskTypes.sweepReports, backgroundTaskTypes.sweepEmails]) {
      await runner.runTask(task)
      await runner.runPending()
    }
  }
  await sweep('2030-02-01T05:59:00Z')
  assert.deepEqual(await rows(), [], 'before it is due')
  await sweep('2030-02-01T06:01:00Z')
  await sweep('2030-02-01T07:00:00Z')
  const [{ id: report_id } = { id: '' }, ...others] = await rows()
  assert.deepEqual(others, [], 'one report')
  const mails = (await readOutbox(services.outbox)).filter(({ text }) => text?.includes(report_id))
  assert.equal(mails.length, 1)
  const { attachments, subject, text } = mails[0]!
  assert.equal(subject, 'Report: \u2068月報 مزارع\u2069')
  assert.ok(text?.includes(`/money/reports?report=${report_id}`))
  assert.deepEqual(
    attachments.map(({ filename, contentType }) => [filename, contentType]),
    [
      ['月報-مزارع.pdf', 'application/pdf'],
      ['月報-مزارع.csv', 'text/csv'],
    ],
  )
  const pdf = await extractText(await getDocumentProxy(Uint8Array.from(attachments[0]!.content)), { mergePages: true })
  assert.ok(pdf.text.includes('1 Jan 2030 to 31 Jan 2030') && pdf.text.includes('西'), pdf.text)
  await invoke('projects.remove_member', { project_id: project, user_id: member.principal.id })
  await sweep('2030-03-01T06:01:00Z')
  assert.equal((await rows()).length, 1, 'no further report')
  const [row] = await owner.db.query<{ next_run_at: Date | null; ended_reason: string }>(sql`
    select next_run_at, ended_reason from report_schedules where organization_id = ${organization} and id = ${id}`)
  assert.equal(row?.next_run_at, null)
  assert.match(row!.ended_reason, /no access to its project/)
})
