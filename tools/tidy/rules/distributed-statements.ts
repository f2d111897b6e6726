import { unscopedPermissions } from '../boundaries.ts'
import { checkStatement } from '../distributed/check-statement.ts'
import type { FindingKind } from '../distributed/findings.ts'
import { compareWithList, listPath, type LocatedFinding } from '../distributed/listed-findings.ts'
import { findSchemaObjects } from '../distributed/schema-objects.ts'
import { readSchema, type MigratedSchema } from '../distributed/schema.ts'
import { readStatements, type ReadStatement } from '../statements/read-statements.ts'
import { isCovered, type SourceTree, type TidyRule } from '../tree.ts'

const unscopedFiles = unscopedPermissions.flatMap(({ files }) => files)

/** The names of connections that are not limited to one organization. */
const unscopedNames: ReadonlySet<string> = new Set(['unscoped', 'across'])

/** A statement that may work for several organizations is listed as one that has to become several. */
function kindOf(kind: FindingKind, file: string, connection: string | null): FindingKind {
  const isUnscoped = unscopedNames.has(connection ?? '') || isCovered(unscopedFiles, file)
  return kind === 'organization' && isUnscoped ? 'across-organizations' : kind
}

const checkVariants = ({ file, line, name, variants }: ReadStatement, schema: MigratedSchema): LocatedFinding[] =>
  variants.flatMap(({ tree, connection }) =>
    checkStatement(tree, schema).map(({ kind, detail }) => ({
      file,
      line,
      name,
      kind: kindOf(kind, file, connection),
      detail,
    })),
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
