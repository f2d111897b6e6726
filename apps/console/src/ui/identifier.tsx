import typography from './typography.module.css'

/** An id, in the type of ids. */
export const Identifier = ({ id }: { id: string }) => <code className={typography['mono']}>{id}</code>
