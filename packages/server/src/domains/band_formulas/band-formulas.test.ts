import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BandFormula } from '@swath/contract/schemas/band-formula.ts'
import { parseColormap, parseExpression } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../engine/input/read-input.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { handler as bandFormulasCreate } from './operations/band_formulas.create.ts'
import { handler as bandFormulasDelete } from './operations/band_formulas.delete.ts'
import { handler as bandFormulasGet } from './operations/band_formulas.get.ts'
import { handler as bandFormulasList } from './operations/band_formulas.list.ts'
import { handler as bandFormulasUpdate } from './operations/band_formulas.update.ts'
import { formulaTemplates, bandFormulaTemplates } from './templates.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
})
after(() => app.close())

async function invoke<T>(
  handler: OperationHandler,
  input: Record<string, unknown>,
  call: Call = fixture.owner,
): Promise<T> {
  const response = await handler.handle(call, readCallInput(handler.operation, { ...input }) as never)
  requireValidOutput(handler.operation, response)
  return response as T
}
const create = (input: Record<string, unknown>) => invoke<BandFormula>(bandFormulasCreate, input)
const list = async (input: Record<string, unknown> = {}, call: Call = fixture.owner) =>
  (await invoke<{ band_formulas: BandFormula[] }>(bandFormulasList, input, call)).band_formulas

const hasProblem = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path) assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), error.message)
  return true
}

test('a formula is stored with the bands that it requires', async () => {
  const created = await create({ name: 'ratio', formula: '(b5 - red) / where(nir > 0, nir, 1)' })
  assert.deepEqual(created.required_bands, ['b5', 'red', 'nir'])
  assert.deepEqual(
    [created.colormap, created.value_range, created.category, created.is_template],
    ['RdYlGn', [-1, 1], 'custom', false],
  )
  const { band_formula } = await invoke<{ band_formula: BandFormula }>(bandFormulasGet, { formula_id: created.id })
  assert.deepEqual(band_formula, created)

  app.clock.advance(1000)
  const changed = await invoke<BandFormula>(bandFormulasUpdate, {
    formula_id: created.id,
    formula: 'nir / red',
    display_name: 'Ratio',
    value_range: [0, 8.5],
    colormap: '["#000000", "#ffffff"]',
    category: 'mine',
  })
  assert.deepEqual(changed.required_bands, ['nir', 'red'])
  assert.deepEqual([changed.display_name, changed.value_range, changed.name], ['Ratio', [0, 8.5], 'ratio'])
  assert.ok(changed.updated_at > created.updated_at)
  assert.deepEqual(await list({ category: 'mine' }), [changed])
  assert.deepEqual(await list({ include_templates: false }), [changed])
  assert.deepEqual(await invoke(bandFormulasDelete, { formula_id: created.id }), { ok: true, id: created.id })
  await assert.rejects(invoke(bandFormulasGet, { formula_id: created.id }), hasProblem('not-found'))
})

test('invalid formulas are rejected by field', async () => {
  const invalidInputs: [Record<string, unknown>, string][] = [
    [{ formula: 'nir -' }, 'formula'],
    [{ formula: 'process.exit(1)' }, 'formula'],
    [{ formula: '1 + 1' }, 'formula'],
    [{ formula: `${'('.repeat(200)}nir${')'.repeat(200)}` }, 'formula'],
    [{ formula: `nir${' + nir'.repeat(300)}` }, 'formula'],
    [{ formula: 'n'.repeat(2001) }, 'formula'],
    [{ colormap: 'dreams' }, 'colormap'],
    [{ value_range: [1, 1] }, 'value_range'],
    [{ value_range: [1] }, 'value_range'],
    [{ name: 'x' }, 'name'],
  ]
  for (const [input, path] of invalidInputs) {
    const whole = { name: 'faulty', formula: 'nir / red', ...input }
    await assert.rejects(async () => create(whole), hasProblem('validation', path), JSON.stringify(input).slice(0, 99))
  }
  assert.deepEqual(await list({ include_templates: false }), [])
})

test('templates are listed after own formulas and cannot be changed', async () => {
  assert.deepEqual(await list(), bandFormulaTemplates)
  for (const { formula, colormap, value_range, required_bands } of formulaTemplates) {
    parseExpression(formula)
    parseColormap(colormap)
    assert.ok(value_range[0]! < value_range[1]! && required_bands.length > 0)
  }
  assert.equal(new Set(bandFormulaTemplates.map(({ id }) => id)).size, bandFormulaTemplates.length)
  const [template] = bandFormulaTemplates
  const { band_formula } = await invoke<{ band_formula: BandFormula }>(bandFormulasGet, { formula_id: template!.id })
  assert.deepEqual(band_formula, template)
  const templateInput = { formula_id: template!.id }
  await assert.rejects(invoke(bandFormulasUpdate, { ...templateInput, category: 'mine' }), hasProblem('forbidden'))
  await assert.rejects(invoke(bandFormulasDelete, templateInput), hasProblem('forbidden'))
  assert.deepEqual(new Set((await list({ category: 'burn' })).map(({ category }) => category)), new Set(['burn']))
})

test('formula names are unique per organization ignoring case, and formulas are private to it', async () => {
  const created = await create({ name: 'Ours', formula: 'nir / red' })
  await assert.rejects(create({ name: 'OURS', formula: 'red / nir' }), hasProblem('name-taken'))
  await assert.rejects(create({ name: 'NDVI', formula: 'red / nir' }), hasProblem('name-taken'))
  const second = await create({ name: 'Second', formula: 'red / nir' })
  await assert.rejects(invoke(bandFormulasUpdate, { formula_id: second.id, name: 'ours' }), hasProblem('name-taken'))
  assert.deepEqual(
    (await list({ include_templates: false })).map(({ name }) => name),
    ['Second', 'Ours'],
  )
  const otherOwner = (await app.createOrganization()).owner
  assert.deepEqual(await list({ include_templates: false }, otherOwner), [])
  for (const handler of [bandFormulasGet, bandFormulasUpdate, bandFormulasDelete]) {
    await assert.rejects(invoke(handler, { formula_id: created.id }, otherOwner), hasProblem('not-found'))
  }
})
