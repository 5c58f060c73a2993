// getRandomValues is its only random function used here: its getRandomBytes returns guessable numbers in development.
import { digest, getRandomValues } from 'expo-crypto';
import { registerCrypto } from './native-crypto.ts';

registerCrypto({ digest, getRandomValues });
