import type { AlterTableCmd, ColumnDef, Constraint, DropStmt, IndexStmt, Node } from 'libpg-query'
import { parseSql } from '../statements/parse-sql.ts'
import type { SourceTree } from '../tree.ts'
import { functionName, nameTexts, organizationColumn, typeName, visitNodes } from './nodes.ts'

const migrationFile = /^packages\/server\/migrations\/.+\.sql$/

/** A constraint, unique index, trigger or numbered column of a table, with the migration that made it. */
export interface SchemaObject {
  readonly kind: 'primary key' | 'unique' | 'foreign key' | 'exclusion' | 'trigger' | 'sequence'
  readonly name: string
  readonly table: string
  readonly file: string
  /** Empty for triggers. */
  readonly columns: readonly string[]
  /** The table that a foreign key references, or the function that a trigger calls. */
  readonly target: string | null
  /** Whether a foreign key is checked at the end of the transaction. */
  readonly isDeferred: boolean
}

/** The schema that all migrations together make, as far as the distribution depends on it. */
export interface MigratedSchema {
  /** Declared with `swath_tenant_table`. */
  readonly tenantTables: ReadonlySet<string>
  /** Tables with the column, tenant tables and directories. */
  readonly organizationTables: ReadonlySet<string>
  readonly objects: readonly SchemaObject[]
  /** Functions of the schema by name: `immutable`, `stable` or `volatile`. */
  readonly volatility: ReadonlyMap<string, string>
}

/** Reads the migrations of a tree in their order. Throws an SqlError if one is invalid. */
export function readSchema(tree: SourceTree): MigratedSchema {
  const reader = new SchemaReader()
  const paths = [...tree.files.keys()].filter((path) => migrationFile.test(path)).sort()
  for (const path of paths) reader.readMigration(path, tree.files.get(path)!)
  return { ...reader, objects: reader.objects }
}

const sequenceTypes: ReadonlySet<string> = new Set(['serial', 'bigserial', 'smallserial', 'serial4', 'serial8'])

const constraintKinds: Readonly<Record<string, SchemaObject['kind']>> = {
  CONSTR_PRIMARY: 'primary key',
  CONSTR_UNIQUE: 'unique',
  CONSTR_FOREIGN: 'foreign key',
  CONSTR_EXCLUSION: 'exclusion',
}

const nameSuffixes: Readonly<Record<string, string>> = {
  'primary key': 'pkey',
  unique: 'key',
  'foreign key': 'fkey',
  exclusion: 'excl',
}

class SchemaReader {
  readonly tenantTables = new Set<string>()
  readonly organizationTables = new Set<string>()
  readonly volatility = new Map<string, string>()
  objects: SchemaObject[] = []
  private file = ''

  readMigration(file: string, text: string): void {
    this.file = file
    for (const statement of parseSql(text)) this.readStatement(statement)
  }

  private readStatement(node: Node): void {
    if ('CreateStmt' in node) {
      const table = node.CreateStmt.relation?.relname ?? ''
      for (const element of node.CreateStmt.tableElts ?? []) this.readElement(table, element)
    } else if ('AlterTableStmt' in node) {
      const table = node.AlterTableStmt.relation?.relname ?? ''
      for (const command of node.AlterTableStmt.cmds ?? [])
        if ('AlterTableCmd' in command) this.alter(table, command.AlterTableCmd)
    } else if ('IndexStmt' in node) this.readIndex(node.IndexStmt)
    else if ('CreateTrigStmt' in node) {
      const { trigname = '', relation, funcname } = node.CreateTrigStmt
      const target = nameTexts(funcname).at(-1) ?? null
      this.add({ kind: 'trigger', name: trigname, table: relation?.relname ?? '', columns: [], target })
    } else if ('CreateFunctionStmt' in node) {
      const { funcname, options } = node.CreateFunctionStmt
      this.volatility.set(nameTexts(funcname).at(-1) ?? '', readVolatility(options))
    } else if ('DropStmt' in node) this.drop(node.DropStmt)
    else if ('RenameStmt' in node && node.RenameStmt.renameType === 'OBJECT_TABLE')
      this.renameTable(node.RenameStmt.relation?.relname ?? '', node.RenameStmt.newname ?? '')
    else if ('SelectStmt' in node) this.readDeclarations(node)
  }

  private add(object: Pick<SchemaObject, 'kind' | 'name' | 'table' | 'columns'> & Partial<SchemaObject>): void {
    this.objects.push({ target: null, isDeferred: false, file: this.file, ...object })
  }

  private readElement(table: string, element: Node): void {
    if ('ColumnDef' in element) this.readColumn(table, element.ColumnDef)
    if ('Constraint' in element) this.readConstraint(table, element.Constraint)
  }

  private readColumn(table: string, { colname = '', typeName: type, constraints = [] }: ColumnDef): void {
    if (colname === organizationColumn) this.organizationTables.add(table)
    if (sequenceTypes.has(typeName(type)) || constraints.some(isNumbered))
      this.add({ kind: 'sequence', name: `${table}_${colname}`, table, columns: [colname] })
    for (const node of constraints) if ('Constraint' in node) this.readConstraint(table, node.Constraint, colname)
  }

  private readConstraint(table: string, constraint: Constraint, column?: string): void {
    const kind = constraintKinds[constraint.contype ?? '']
    if (!kind) return
    const listed = nameTexts(constraint.fk_attrs ?? constraint.keys)
    const excluded = (constraint.exclusions ?? []).flatMap((node) =>
      'List' in node
        ? (node.List.items ?? []).flatMap((item) => ('IndexElem' in item ? [item.IndexElem.name ?? ''] : []))
        : [],
    )
    const columns = listed.length + excluded.length === 0 && column !== undefined ? [column] : [...listed, ...excluded]
    const middle = kind === 'primary key' ? '' : `${columns.join('_')}_`
    this.add({
      kind,
      name: constraint.conname ?? `${table}_${middle}${nameSuffixes[kind]}`,
      table,
      columns,
      target: constraint.pktable?.relname ?? null,
      isDeferred: constraint.initdeferred ?? false,
    })
  }

  private readIndex({ idxname = '', relation, indexParams = [], unique }: IndexStmt): void {
    if (!unique) return
    const columns = indexParams.map((param) => ('IndexElem' in param ? (param.IndexElem.name ?? '') : ''))
    this.add({ kind: 'unique', name: idxname, table: relation?.relname ?? '', columns })
  }

  private alter(table: string, { subtype, name, def }: AlterTableCmd): void {
    if (subtype === 'AT_AddColumn' || subtype === 'AT_AddConstraint') {
      if (def) this.readElement(table, def)
    } else if (subtype === 'AT_AddIdentity' || (subtype === 'AT_ColumnDefault' && callsNextval(def))) {
      this.add({ kind: 'sequence', name: `${table}_${name}`, table, columns: [name ?? ''] })
    } else if (subtype === 'AT_DropConstraint') {
      this.objects = this.objects.filter((object) => object.table !== table || object.name !== name)
    } else if (subtype === 'AT_DropColumn') {
      this.objects = this.objects.filter((object) => object.table !== table || !object.columns.includes(name ?? ''))
    } else if (def && 'ATAlterConstraint' in def) {
      const { conname, initdeferred = false } = def.ATAlterConstraint
      this.objects = this.objects.map((object) =>
        object.table === table && object.name === conname ? { ...object, isDeferred: initdeferred } : object,
      )
    }
  }

  private drop({ removeType, objects = [] }: DropStmt): void {
    for (const object of objects) {
      const names = 'List' in object ? nameTexts(object.List.items) : []
      const name = names.at(-1) ?? ''
      if (removeType === 'OBJECT_INDEX')
        this.objects = this.objects.filter((known) => known.name !== name || known.kind !== 'unique')
      if (removeType === 'OBJECT_TRIGGER')
        this.objects = this.objects.filter((known) => known.name !== name || known.table !== names.at(-2))
      if (removeType !== 'OBJECT_TABLE') continue
      this.objects = this.objects.filter((known) => known.table !== name)
      this.organizationTables.delete(name)
      this.tenantTables.delete(name)
    }
  }

  private renameTable(from: string, to: string): void {
    for (const tables of [this.tenantTables, this.organizationTables]) if (tables.delete(from)) tables.add(to)
    const rename = (table: string): string => (table === from ? to : table)
    this.objects = this.objects.map((object) => ({
      ...object,
      table: rename(object.table),
      target: object.target === null ? null : rename(object.target),
    }))
  }

  private readDeclarations(statement: Node): void {
    visitNodes(statement, (node) => {
      if (!('FuncCall' in node) || functionName(node.FuncCall) !== 'swath_tenant_table') return
      const [name] = node.FuncCall.args ?? []
      if (name && 'A_Const' in name) this.tenantTables.add(name.A_Const.sval?.sval ?? '')
    })
  }
}

const isNumbered = (node: Node): boolean =>
  'Constraint' in node && (node.Constraint.contype === 'CONSTR_IDENTITY' || callsNextval(node.Constraint.raw_expr))

function callsNextval(expression: Node | undefined): boolean {
  let isSequence = false
  visitNodes(expression, (node) => {
    if ('FuncCall' in node && functionName(node.FuncCall) === 'nextval') isSequence = true
  })
  return isSequence
}

/** A function is volatile unless it says otherwise. */
function readVolatility(options: readonly Node[] = []): string {
  for (const node of options) {
    if (!('DefElem' in node) || node.DefElem.defname !== 'volatility') continue
    const { arg } = node.DefElem
    if (arg && 'String' in arg) return arg.String.sval ?? 'volatile'
  }
  return 'volatile'
}
