/** The name of an encrypted file. The service does not know another one. */
export const ENCRYPTED_NAME = 'encrypted.tar.age';

/** A browser holds each request of an encrypted upload in memory until it has arrived. */
export const MAX_HELD_CHUNK_BYTES = 8_000_000;
