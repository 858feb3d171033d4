-- phpMyAdmin SQL Dump
-- version 5.2.1
-- https://www.phpmyadmin.net/

SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
START TRANSACTION;
SET time_zone = "+00:00";

INSERT INTO `go_url` (`keyword`, `url`, `title`, `timestamp`, `clicks`) VALUES
('gh', 'https://code.example.com/', 'Code', '2024-01-10 10:00:00', 3),
('blog', 'https://blog.example.org/', 'A blog', '2024-02-15 11:30:00', 2);
COMMIT;
