import { credentialsTexts } from '../../../texts/credentials.ts'
import { describeScope } from './scopes.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

/** What scopes let a program do, one line each. */
export const ScopeLines = ({ scopes }: { scopes: readonly string[] }) => (
  <ul className={`${layout['stack4']} ${layout['bullets']}`}>
    {scopes.map((scope) => (
      <li key={scope}>
        {describeScope(scope)} <small className={`${typography['muted']} ${typography['mono']}`}>{scope}</small>
      </li>
    ))}
  </ul>
)

/** How many scopes there are; opened, what they let a program do. */
export const ScopeList = ({ scopes }: { scopes: readonly string[] }) => (
  <details>
    <summary>{credentialsTexts.scopes.count(scopes.length)}</summary>
    <ScopeLines scopes={scopes} />
  </details>
)
