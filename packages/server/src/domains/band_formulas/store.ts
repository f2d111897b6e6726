import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface BandFormulaRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly display_name: string | null
  readonly formula: string
  readonly description: string | null
  readonly required_bands: readonly string[]
  readonly colormap: string
  readonly value_range: readonly number[]
  readonly category: string
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`
  f.id, f.organization_id, f.name, f.display_name, f.formula, f.description, f.required_bands, f.colormap, f.value_range,
  f.category, f.created_by, f.created_at, f.updated_at`

/** Violates the unique index of names if the organization has a formula with this name. */
export async function insertBandFormulaRow(tx: Tx, row: BandFormulaRow): Promise<void> {
  await tx.query(sql`
    insert into band_formulas (organization_id, id, name, display_name, formula, description, required_bands, colormap,
                               value_range, category, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.name}, ${row.display_name}, ${row.formula}, ${row.description},
            ${row.required_bands}::text[], ${row.colormap}, ${row.value_range}::double precision[], ${row.category},
            ${row.created_by}, ${row.created_at}, ${row.updated_at})`)
}

/** Violates the unique index of names if the organization has another formula with this name. */
export async function updateBandFormulaRow(tx: Tx, row: BandFormulaRow): Promise<void> {
  await tx.query(sql`
    update band_formulas
    set name = ${row.name}, display_name = ${row.display_name}, formula = ${row.formula},
        description = ${row.description}, required_bands = ${row.required_bands}::text[], colormap = ${row.colormap},
        value_range = ${row.value_range}::double precision[], category = ${row.category},
        updated_at = ${row.updated_at}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** False if it did not exist. */
export async function deleteBandFormulaRow(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from band_formulas where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length > 0
}

/** The formula; with `lock` its row is locked until the transaction ends. */
export async function findBandFormulaRow(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  lock = false,
): Promise<BandFormulaRow | null> {
  const [row] = await db.query<BandFormulaRow>(sql`
    select ${columns} from band_formulas f
    where f.organization_id = ${organization} and f.id = ${id}
    ${lock ? sql`for update of f` : sql.empty}`)
  return row ?? null
}

/** Newest first; optionally of one category. */
export const listBandFormulas = (
  db: SqlStatementRunner,
  organization: string,
  category: string | null,
): Promise<BandFormulaRow[]> =>
  db.query<BandFormulaRow>(sql`
    select ${columns} from band_formulas f
    where f.organization_id = ${organization}
      and (${category}::text is null or f.category = ${category})
    order by f.created_at desc, f.id desc`)
