import './pool/pool.ts'
import './types.ts'
