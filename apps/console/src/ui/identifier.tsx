import styles from './identifier.module.css'

/** An id, in the type of ids. */
export const Identifier = ({ id }: { id: string }) => <code className={styles['identifier']}>{id}</code>
