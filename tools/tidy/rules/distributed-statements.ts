import { unscopedPermissions } from '../boundaries.ts'
import { checkStatement } from '../distributed/check-statement.ts'
import type { FindingKind } from '../distributed/findings.ts'
import { compareWithList, listPath, type LocatedFinding } from '../distributed/listed-findings.ts'
import { isMultiShardRead } from '../distributed/multi-shard-reads.ts'
import { findSchemaObjects } from '../distributed/schema-objects.ts'
import { readSchema, type MigratedSchema } from '../distributed/schema.ts'
import { readStatements, type ReadStatement, type StatementVariant } from '../statements/read-statements.ts'
import { isCovered, type SourceTree, type TidyRule } from '../tree.ts'

const unscopedFiles = unscopedPermissions.flatMap(({ files }) => files)

/** The names of connections that are not limited to one organization. */
const unscopedNames: ReadonlySet<string> = new Set(['unscoped', 'across'])

const isUnscoped = (connection: string | null): boolean => unscopedNames.has(connection ?? '')

/** A statement that may work for several organizations is listed as one that has to become several. */
const kindOf = (kind: FindingKind, file: string, connection: string | null): FindingKind =>
  kind === 'organization' && (isUnscoped(connection) || isCovered(unscopedFiles, file)) ? 'across-organizations' : kind

/** A statement may read all organizations where the name of its connection says so, if each node can do that with its own rows. */
const isPermitted = (kind: FindingKind, { tree, connection }: StatementVariant, schema: MigratedSchema): boolean =>
  kind === 'organization' && isUnscoped(connection) && isMultiShardRead(tree, schema)

const checkVariants = ({ file, line, name, variants }: ReadStatement, schema: MigratedSchema): LocatedFinding[] =>
  variants.flatMap((variant) =>
    checkStatement(variant.tree, schema)
      .filter(({ kind }) => !isPermitted(kind, variant, schema))
      .map(({ kind, detail }) => ({ file, line, name, kind: kindOf(kind, file, variant.connection), detail })),
  )

function listFindings(tree: SourceTree): LocatedFinding[] {
  const schema = readSchema(tree)
  const { statements, unread } = readStatements(tree)
  return [
    ...statements.flatMap((statement) => checkVariants(statement, schema)),
    ...unread.map((place) => ({ ...place, kind: 'unread' as const, detail: 'the statement cannot be read' })),
    ...findSchemaObjects(schema),
  ]
}

export const distributedStatementsRule: TidyRule = {
  name: 'distributed-statements',
  reason: `Statements and tables fit an engine that is distributed by organization; what does not yet is in ${listPath}.`,
  check: (tree) => compareWithList(listFindings(tree), tree.files.get(listPath) ?? ''),
}
