import { budgetsRule } from './rules/budgets.ts'
import { citationsRule } from './rules/citations.ts'
import { constantsRule } from './rules/constants.ts'
import { cyclesRule } from './rules/cycles.ts'
import { deadRule } from './rules/dead.ts'
import { documentsRule } from './rules/documents.ts'
import { foldersRule } from './rules/folders.ts'
import { layersRule } from './rules/layers.ts'
import { leavesRule } from './rules/leaves.ts'
import { librariesRule } from './rules/libraries.ts'
import { linksRule } from './rules/links.ts'
import { machinePathsRule } from './rules/machine-paths.ts'
import { namesRule } from './rules/names.ts'
import { operationsRule } from './rules/operations.ts'
import { packagesRule } from './rules/packages.ts'
import { processStateRule } from './rules/process-state.ts'
import { refusalsRule } from './rules/refusals.ts'
import { scriptsRule } from './rules/scripts.ts'
import { storesRule } from './rules/stores.ts'
import { tiersRule } from './rules/tiers.ts'
import { vocabularyRule } from './rules/vocabulary.ts'
import { patternsRule } from './rules/restricted-patterns.ts'
import type { TidyRule } from './tree.ts'

/** Every architecture rule. Each has a small counter-example tree in `broken/<name>` that it must reject. */
export const tidyRules: readonly TidyRule[] = [
  packagesRule,
  layersRule,
  foldersRule,
  tiersRule,
  leavesRule,
  storesRule,
  cyclesRule,
  librariesRule,
  patternsRule,
  processStateRule,
  namesRule,
  constantsRule,
  vocabularyRule,
  refusalsRule,
  budgetsRule,
  deadRule,
  operationsRule,
  documentsRule,
  linksRule,
  citationsRule,
  machinePathsRule,
  scriptsRule,
]

/** Rules that the linter enforces; each has its counter-example tree in `broken/lint-<name>`. */
export const lintRules: readonly { readonly name: string; readonly rule: string }[] = [
  { name: 'any', rule: 'typescript(no-explicit-any)' },
  { name: 'barrel', rule: 'oxc(no-barrel-file)' },
  { name: 'console', rule: 'eslint(no-console)' },
  { name: 'cycle', rule: 'import(no-cycle)' },
  { name: 'function-length', rule: 'eslint(max-lines-per-function)' },
  { name: 'file-length', rule: 'eslint(max-lines)' },
]
