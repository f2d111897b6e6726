import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BandFormula } from '@swath/contract/shapes/band-formula.ts'
import { parseColormap, parseExpression } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { checkOutput, readInput } from '../../engine/read-input.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { createFormula } from './band_formulas.create.ts'
import { removeFormula } from './band_formulas.delete.ts'
import { getFormula } from './band_formulas.get.ts'
import { listFormulas } from './band_formulas.list.ts'
import { changeFormula } from './band_formulas.update.ts'
import { formulaTemplates, templateFormulas } from './templates.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
before(async () => {
  house = await openHoldings()
  world = await house.organize()
})
after(() => house.close())

async function ask<T>(handler: Handler, input: Record<string, unknown>, call: Call = world.owner): Promise<T> {
  const answer = await handler.answer(call, readInput(handler.operation, { ...input }) as never)
  checkOutput(handler.operation, answer)
  return answer as T
}
const create = (input: Record<string, unknown>) => ask<BandFormula>(createFormula, input)
const list = async (input: Record<string, unknown> = {}, call: Call = world.owner) =>
  (await ask<{ band_formulas: BandFormula[] }>(listFormulas, input, call)).band_formulas

const refused = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path) assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), error.message)
  return true
}

test('a formula is stored with the bands that it requires', async () => {
  const made = await create({ name: 'ratio', formula: '(b5 - red) / where(nir > 0, nir, 1)' })
  assert.deepEqual(made.required_bands, ['b5', 'red', 'nir'])
  assert.deepEqual(
    [made.colormap, made.value_range, made.category, made.is_template],
    ['RdYlGn', [-1, 1], 'custom', false],
  )
  const { band_formula } = await ask<{ band_formula: BandFormula }>(getFormula, { formula_id: made.id })
  assert.deepEqual(band_formula, made)

  house.clock.advance(1000)
  const changed = await ask<BandFormula>(changeFormula, {
    formula_id: made.id,
    formula: 'nir / red',
    display_name: 'Ratio',
    value_range: [0, 8.5],
    colormap: '["#000000", "#ffffff"]',
    category: 'mine',
  })
  assert.deepEqual(changed.required_bands, ['nir', 'red'])
  assert.deepEqual([changed.display_name, changed.value_range, changed.name], ['Ratio', [0, 8.5], 'ratio'])
  assert.ok(changed.updated_at > made.updated_at)
  assert.deepEqual(await list({ category: 'mine' }), [changed])
  assert.deepEqual(await list({ include_templates: false }), [changed])
  assert.deepEqual(await ask(removeFormula, { formula_id: made.id }), { ok: true, id: made.id })
  await assert.rejects(ask(getFormula, { formula_id: made.id }), refused('not-found'))
})

test('invalid formulas are rejected by field', async () => {
  const faulty: [Record<string, unknown>, string][] = [
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
  for (const [input, path] of faulty) {
    const whole = { name: 'faulty', formula: 'nir / red', ...input }
    await assert.rejects(async () => create(whole), refused('validation', path), JSON.stringify(input).slice(0, 99))
  }
  assert.deepEqual(await list({ include_templates: false }), [])
})

test('templates are listed after own formulas and cannot be changed', async () => {
  assert.deepEqual(await list(), templateFormulas)
  for (const { formula, colormap, value_range, required_bands } of formulaTemplates) {
    parseExpression(formula)
    parseColormap(colormap)
    assert.ok(value_range[0]! < value_range[1]! && required_bands.length > 0)
  }
  assert.equal(new Set(templateFormulas.map(({ id }) => id)).size, templateFormulas.length)
  const [template] = templateFormulas
  const { band_formula } = await ask<{ band_formula: BandFormula }>(getFormula, { formula_id: template!.id })
  assert.deepEqual(band_formula, template)
  const one = { formula_id: template!.id }
  await assert.rejects(ask(changeFormula, { ...one, category: 'mine' }), refused('forbidden'))
  await assert.rejects(ask(removeFormula, one), refused('forbidden'))
  assert.deepEqual(new Set((await list({ category: 'burn' })).map(({ category }) => category)), new Set(['burn']))
})

test('formula names are unique per organization ignoring case, and formulas are private to it', async () => {
  const made = await create({ name: 'Ours', formula: 'nir / red' })
  await assert.rejects(create({ name: 'OURS', formula: 'red / nir' }), refused('name-taken'))
  await assert.rejects(create({ name: 'NDVI', formula: 'red / nir' }), refused('name-taken'))
  const second = await create({ name: 'Second', formula: 'red / nir' })
  await assert.rejects(ask(changeFormula, { formula_id: second.id, name: 'ours' }), refused('name-taken'))
  assert.deepEqual(
    (await list({ include_templates: false })).map(({ name }) => name),
    ['Second', 'Ours'],
  )
  const stranger = (await house.organize()).owner
  assert.deepEqual(await list({ include_templates: false }, stranger), [])
  for (const handler of [getFormula, changeFormula, removeFormula]) {
    await assert.rejects(ask(handler, { formula_id: made.id }, stranger), refused('not-found'))
  }
})
