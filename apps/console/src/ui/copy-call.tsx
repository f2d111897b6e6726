import { toCurl } from '../api/curl.ts'
import { texts } from '../texts.ts'
import { CopyButton } from './copy-button.tsx'
import type { OperationId } from '@swath/client/operations.ts'

/** The call of an action or a screen as a command line: everything that the console does, one call does. */
export const CopyCall = ({ operation, input }: { operation: OperationId; input: object }) => (
  <CopyButton label={texts.ui.copyCall} text={() => toCurl(location.origin, operation, input)} />
)
