import type { CollectedStatement } from './collect-statements.ts'
import { statementRules, toParsedStatement } from './rules.ts'
import type { SchemaFacts } from './schema-facts.ts'
import { parseSql } from './syntax.ts'
import { findForeignWrites } from './writers.ts'

/** Two rows of parameters, one after the other. */
const repeatedRow = /(\((?:[^()']|\([^()']*\))*\))(?:,\s*\1)+/g

/** The text with one row in each list of VALUES: lists of all lengths are one statement, and long ones take long to parse. */
export const shorten = (text: string): string => text.replace(/\$\d+/g, '$$1').replace(repeatedRow, '$1')

/** What the rules find in statements, one message each. Statements that are equal but for the lengths of lists are parsed once. */
export function checkStatements(statements: readonly CollectedStatement[], facts: SchemaFacts): string[] {
  const distinct = new Map(statements.map((statement) => [shorten(statement.text), statement]))
  return [...distinct].flatMap(([text, sender]) => {
    const parsed = parseSql(text).map((tree) => toParsedStatement(tree, facts))
    const findings = parsed.flatMap((statement) => [
      ...statementRules.flatMap(({ name, reason, find }) =>
        find(statement, facts).map((what) => `${what} (${name}: ${reason})`),
      ),
      ...findForeignWrites(statement.changes, sender).map((what) => `${what} (writers.ts: each table has its writers)`),
    ])
    return findings.map((what) => `${sender.file}:${sender.line} ${sender.name} ${what}:\n${text.trim()}`)
  })
}
